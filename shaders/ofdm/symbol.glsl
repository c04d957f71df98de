// Which subcarrier of a WirelessHD symbol carries what: glfft/apps/ofdm/link/symbols.py.

const int SUBCARRIERS = 512;
const int GUARD = 64;
const int USED = 352;
const int DATA = 336;
const int PILOT_SPACING = 22;
const int PILOT_STEP = 3;

// The place in FFT order of a used subcarrier, counted from the lowest frequency.
int subcarrier(int used) {
    int number = used < USED / 2 ? used - USED / 2 - 1 : used - USED / 2 + 2;
    return number & (SUBCARRIERS - 1);
}

// The first of the pilots of a symbol, among the used subcarriers. The others are PILOT_SPACING apart.
int first_pilot(int symbol) {
    return symbol * PILOT_STEP % PILOT_SPACING;
}

// The used subcarrier that carries a point of a symbol's data: between two pilots lie PILOT_SPACING - 1 of them.
int data_place(int symbol, int point) {
    int span = point / (PILOT_SPACING - 1);
    int within = point % (PILOT_SPACING - 1);
    return span * PILOT_SPACING + within + (within < first_pilot(symbol) ? 0 : 1);
}
