// Perfetto's trace processor outside a browser: node trace_processor.mjs ENGINE < requests > replies
// ENGINE is Perfetto's engine_bundle.js, a web worker, beside its .wasm files.
import { readFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

const engine = process.argv[2];
const port = { postMessage: (reply) => writeSync(1, reply) };
class XMLHttpRequest {
    status = 200;
    open(method, name) {
        this.name = name;
    }
    send() {
        this.response = new Uint8Array(readFileSync(join(dirname(engine), this.name))).buffer;
    }
}
delete globalThis.process; // the engine refuses to run in node
Object.assign(globalThis, { self: globalThis, location: { href: "" }, importScripts() {}, XMLHttpRequest });
globalThis.WorkerGlobalScope = Object;
console.log = console.warn;
(0, eval)(readFileSync(engine, "utf8"));
globalThis.onmessage({ data: port });
// The engine starts in tasks that are due before this one.
setTimeout(() => port.onmessage({ data: new Uint8Array(readFileSync(0)) }));
