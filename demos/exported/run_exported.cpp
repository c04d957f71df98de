// Run what `glfft export` wrote, without glfft:
//     g++ -std=c++17 run_exported.cpp -lglfw -o run_exported && ./run_exported FOLDER forward in.bin out.bin
// in.bin holds the numbers of the source, row by row, as out.bin will hold those of the target.
#include <GL/glcorearb.h>
#if __has_include(<GLFW/glfw3.h>)
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#else  // the library of the Python package glfw comes without this file: what is used of it
struct GLFWwindow;
extern "C" int glfwInit(), glfwGetError(const char **);
extern "C" void glfwWindowHint(int, int), glfwMakeContextCurrent(GLFWwindow *), glfwTerminate();
extern "C" GLFWwindow *glfwCreateWindow(int, int, const char *, void *, GLFWwindow *);
extern "C" void (*glfwGetProcAddress(const char *))();
enum {
    GLFW_VISIBLE = 0x20004, GLFW_CLIENT_API = 0x22001, GLFW_CONTEXT_VERSION_MAJOR = 0x22002,
    GLFW_CONTEXT_VERSION_MINOR = 0x22003, GLFW_OPENGL_PROFILE = 0x22008, GLFW_OPENGL_API = 0x30001,
    GLFW_OPENGL_ES_API = 0x30002, GLFW_OPENGL_CORE_PROFILE = 0x32001
};
#endif
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#define FUNCTIONS(X) \
    X(BINDBUFFER, BindBuffer) X(BINDBUFFERBASE, BindBufferBase) X(BINDFRAMEBUFFER, BindFramebuffer) \
    X(BINDIMAGETEXTURE, BindImageTexture) X(BINDTEXTURE, BindTexture) X(ACTIVETEXTURE, ActiveTexture) \
    X(BUFFERDATA, BufferData) X(ATTACHSHADER, AttachShader) X(COMPILESHADER, CompileShader) \
    X(CREATEPROGRAM, CreateProgram) X(CREATESHADER, CreateShader) X(DISPATCHCOMPUTE, DispatchCompute) \
    X(FRAMEBUFFERTEXTURE2D, FramebufferTexture2D) X(FRAMEBUFFERTEXTURELAYER, FramebufferTextureLayer) \
    X(GENBUFFERS, GenBuffers) X(GENFRAMEBUFFERS, GenFramebuffers) X(GENTEXTURES, GenTextures) X(GETERROR, GetError) \
    X(GETPROGRAMINFOLOG, GetProgramInfoLog) X(GETSHADERINFOLOG, GetShaderInfoLog) X(GETPROGRAMIV, GetProgramiv) \
    X(GETUNIFORMLOCATION, GetUniformLocation) X(LINKPROGRAM, LinkProgram) X(MAPBUFFERRANGE, MapBufferRange) \
    X(MEMORYBARRIER, MemoryBarrier) X(PIXELSTOREI, PixelStorei) X(READPIXELS, ReadPixels) \
    X(SHADERSOURCE, ShaderSource) X(TEXPARAMETERI, TexParameteri) X(TEXSTORAGE2D, TexStorage2D) \
    X(TEXSTORAGE3D, TexStorage3D) X(TEXSUBIMAGE2D, TexSubImage2D) X(TEXSUBIMAGE3D, TexSubImage3D) \
    X(UNIFORM1F, Uniform1f) X(UNIFORM1I, Uniform1i) X(UNIFORM2FV, Uniform2fv) X(USEPROGRAM, UseProgram)
#define DECLARE(TYPE, NAME) PFNGL##TYPE##PROC gl##NAME;
#define LOAD(TYPE, NAME) gl##NAME = reinterpret_cast<PFNGL##TYPE##PROC>(glfwGetProcAddress("gl" #NAME));
FUNCTIONS(DECLARE)

using Bytes = std::vector<char>;

void check(bool fine, const std::string &otherwise) {
    if (!fine) throw std::runtime_error(otherwise);
}

Bytes read_file(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    check(bool(file), "cannot read " + path);
    return Bytes(std::istreambuf_iterator<char>(file), {});
}

// A value of JSON; true, false and null are the numbers 1, 0 and 0. Enough for a manifest, and no check of one.
struct Json {
    double number = 0;
    std::string text;
    std::vector<Json> list;
    std::map<std::string, Json> members;

    const Json &operator[](const std::string &name) const { return members.at(name); }
    bool has(const std::string &name) const { return members.count(name) > 0; }
    int whole(size_t index) const { return int(list.at(index).number); }

    static Json read(const char *&at) {
        Json made;
        skip(at);
        if (*at == '{' || *at == '[') {
            const char end = *at++ == '{' ? '}' : ']';
            for (skip(at); *at != end; skip(at)) {
                std::string name;
                if (end == '}') name = read(at).text, skip(at);
                (end == '}' ? made.members[name] : made.list.emplace_back()) = read(at);
            }
            ++at;
        } else if (*at == '"') {
            for (++at; *at != '"'; ++at) made.text += *at == '\\' ? *++at : *at;
            ++at;
        } else if (std::isalpha(*at)) {
            for (made.number = *at == 't'; std::isalpha(*at); ++at) {}
        } else {
            char *end;
            made.number = std::strtod(at, &end);
            check(end != at, "the manifest is no JSON");
            at = end;
        }
        return made;
    }

    static void skip(const char *&at) {
        while (*at != '\0' && (std::isspace(*at) || *at == ',' || *at == ':')) ++at;
        check(*at != '\0', "the manifest ends too early");
    }
};

// A texture or a buffer of the manifest, as OpenGL has it.
struct Resource {
    const Json &is;
    GLuint name = 0;
    GLenum target = GL_TEXTURE_2D, format, kept_as, number;

    Resource(const Json &given, const Bytes &data) : is(given) {
        const int components = int(is["components"].number);
        if (is["kind"].text == "buffer") {
            glGenBuffers(1, &name);
            glBindBuffer(GL_SHADER_STORAGE_BUFFER, name);
            glBufferData(GL_SHADER_STORAGE_BUFFER, GLsizeiptr(is["bytes"].number), data.empty() ? nullptr : data.data(),
                         GL_DYNAMIC_COPY);
            return;
        }
        const std::map<std::string, GLenum> formats = {{"r32f", GL_R32F},       {"rg32f", GL_RG32F}, {"rgba32f", GL_RGBA32F},
                                                       {"r16f", GL_R16F},       {"rg16f", GL_RG16F}, {"rgba16f", GL_RGBA16F}};
        kept_as = formats.at(is["format"].text);
        format = components == 1 ? GL_RED : components == 2 ? GL_RG : GL_RGBA;
        number = is["number"].text == "float16" ? GL_HALF_FLOAT : GL_FLOAT;
        if (is["dimension"].text != "2d") target = is["dimension"].text == "3d" ? GL_TEXTURE_3D : GL_TEXTURE_2D_ARRAY;
        const Json &size = is["size"];
        const int depth = target == GL_TEXTURE_2D ? 1 : size.whole(2);
        glGenTextures(1, &name);
        glBindTexture(target, name);
        glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        if (target == GL_TEXTURE_2D) glTexStorage2D(target, 1, kept_as, size.whole(0), size.whole(1));
        else glTexStorage3D(target, 1, kept_as, size.whole(0), size.whole(1), depth);
        if (data.empty()) return;
        if (target == GL_TEXTURE_2D) {
            glTexSubImage2D(target, 0, 0, 0, size.whole(0), size.whole(1), format, number, data.data());
        } else {
            glTexSubImage3D(target, 0, 0, 0, 0, size.whole(0), size.whole(1), depth, format, number, data.data());
        }
    }

    Bytes content() const {
        Bytes data(size_t(is["bytes"].number));
        if (is["kind"].text == "buffer") {
            glBindBuffer(GL_SHADER_STORAGE_BUFFER, name);
            const void *mapped = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, GLsizeiptr(data.size()), GL_MAP_READ_BIT);
            const char *first = static_cast<const char *>(mapped);
            data.assign(first, first + data.size());
            return data;
        }
        GLuint framebuffer;
        glGenFramebuffers(1, &framebuffer);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
        const int layers = target == GL_TEXTURE_2D ? 1 : is["size"].whole(2);
        for (int layer = 0; layer < layers; ++layer) {
            const GLenum place = GL_COLOR_ATTACHMENT0;
            if (target == GL_TEXTURE_2D) glFramebufferTexture2D(GL_READ_FRAMEBUFFER, place, target, name, 0);
            else glFramebufferTextureLayer(GL_READ_FRAMEBUFFER, place, name, 0, layer);
            glReadPixels(0, 0, is["size"].whole(0), is["size"].whole(1), format, number,
                         data.data() + data.size() / layers * layer);
        }
        return data;
    }

    void bind(const Json &bound) const {
        const GLuint binding = GLuint(bound["binding"].number);
        const std::string &kind = bound["kind"].text;
        if (kind == "buffer") {
            glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, name);
        } else if (kind == "texture") {
            glActiveTexture(GL_TEXTURE0 + binding);
            glBindTexture(target, name);
        } else {
            const std::string &access = bound["access"].text;
            const GLenum use = access == "read" ? GL_READ_ONLY : access == "write" ? GL_WRITE_ONLY : GL_READ_WRITE;
            glBindImageTexture(binding, name, 0, target != GL_TEXTURE_2D, 0, use, kept_as);
        }
    }
};

GLuint compiled(const std::string &path) {
    const Bytes text = read_file(path);
    const char *first = text.data();
    const GLint length = GLint(text.size());
    const GLuint shader = glCreateShader(GL_COMPUTE_SHADER), program = glCreateProgram();
    glShaderSource(shader, 1, &first, &length);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glLinkProgram(program);
    GLint linked;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    char log[4096] = "";
    glGetShaderInfoLog(shader, sizeof log, nullptr, log);
    check(linked, path + " does not compile: " + log);
    return program;
}

void set_uniform(GLuint program, const Json &uniform) {
    const GLint place = glGetUniformLocation(program, uniform["name"].text.c_str());
    const Json &value = uniform["value"];
    if (uniform["type"].text == "int") glUniform1i(place, int(value.number));
    else if (uniform["type"].text == "float") glUniform1f(place, float(value.number));
    else {
        std::vector<float> pairs;
        for (const Json &pair : value.list) for (const Json &each : pair.list) pairs.push_back(float(each.number));
        glUniform2fv(place, GLsizei(pairs.size() / 2), pairs.data());
    }
}

void open_context(bool es) {
    check(glfwInit(), "GLFW finds no display");
    glfwWindowHint(GLFW_VISIBLE, 0);
    glfwWindowHint(GLFW_CLIENT_API, es ? GLFW_OPENGL_ES_API : GLFW_OPENGL_API);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, es ? 3 : 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, es ? 1 : 3);
    if (!es) glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    GLFWwindow *window = glfwCreateWindow(64, 64, "exported", nullptr, nullptr);
    check(window, "no context of that version");
    glfwMakeContextCurrent(window);
    FUNCTIONS(LOAD)
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
}

int main(int count, char **words) try {
    check(count == 5, "usage: run_exported FOLDER forward|inverse IN OUT");
    const std::string folder = words[1] + std::string("/");
    Bytes text = read_file(folder + "manifest.json");
    text.push_back('\0');
    const char *at = text.data();
    const Json manifest = Json::read(at);
    check(manifest["format"].text == "glfft export" && manifest["version"].number == 1, "another format");
    const std::string &glsl = manifest["glsl"].text;
    open_context(glsl.size() > 2 && glsl.substr(glsl.size() - 2) == "es");
    check(manifest["directions"].has(words[2]), std::string("the export has no direction ") + words[2]);
    const Json &direction = manifest["directions"][words[2]];
    std::map<std::string, Resource> made;
    for (const auto &[name, is] : direction["resources"].members) {
        const bool filled = is.has("file");
        Bytes data = name == "source" ? read_file(words[3]) : filled ? read_file(folder + is["file"].text) : Bytes();
        const bool given = filled || name == "source";
        check(!given || data.size() == size_t(is["bytes"].number), name + " has another size");
        made.emplace(name, Resource(is, data));
    }
    std::map<std::string, GLuint> programs;
    for (const Json &pass : direction["passes"].list) {
        GLuint &program = programs[pass["glsl"].text];
        if (!program) program = compiled(folder + pass["glsl"].text);
        glUseProgram(program);
        for (const Json &uniform : pass["uniforms"].list) set_uniform(program, uniform);
        for (const Json &bound : pass["bindings"].list) made.at(bound["resource"].text).bind(bound);
        glMemoryBarrier(GLbitfield(pass["barrier"]["bits"].number));
        const Json &groups = pass["groups"];
        glDispatchCompute(groups.whole(0), groups.whole(1), groups.whole(2));
    }
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    const Bytes result = made.at("target").content();
    const GLenum error = glGetError();
    check(error == GL_NO_ERROR, "OpenGL has error " + std::to_string(error));
    std::ofstream file(words[4], std::ios::binary);
    file.write(result.data(), std::streamsize(result.size()));
    file.close();
    check(bool(file), std::string("cannot write ") + words[4]);
    glfwTerminate();
} catch (const std::exception &error) {
    std::cerr << error.what() << "\n";
    return 1;
}
