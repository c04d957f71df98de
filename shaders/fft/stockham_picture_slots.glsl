// The slots of a picture's lines in shared memory.
//
// Defines: LINES, LINES_SIDE_BY_SIDE, LINE_SLOTS, IN_TURN of fft/stockham.glsl
//   FREE_SLOTS  more slots behind each line, or where lines lie side by side, behind the points at each position
//   PIECES      of the lines, exchanged in turn as well; 1 without IN_TURN

const int LINES_AT_ONCE = LINES / PIECES;
#if LINES_SIDE_BY_SIDE
const int SLOT_STRIDE = LINES_AT_ONCE + FREE_SLOTS;
const int LINE_STRIDE = 1;
const int ARRAY_SLOTS = LINE_SLOTS * SLOT_STRIDE;
#else
const int SLOT_STRIDE = 1;
const int LINE_STRIDE = LINE_SLOTS + FREE_SLOTS;
const int ARRAY_SLOTS = LINES_AT_ONCE * LINE_STRIDE;
#endif

#if IN_TURN
// An exchange takes a trip for each number of a value and each piece of the lines.
const int TRIPS = NUMBERS * PIECES;

// Whether a line is in the piece of a trip.
bool is_exchanged(int line_in_group, int trip) {
    return PIECES == 1 || line_in_group / LINES_AT_ONCE == trip / NUMBERS;
}
#endif
