// The stages once more, those along the last axis first, after the points have gone to where they are before them.
//
// Defines: ENDS_AS_IT_BEGINS  1: a thread has the same positions before those stages and after the last one
//          STAGES_BACK        the function: all_stages, or where the axes have other radices, all_stages_back
// Inputs: EXCHANGES, how many exchanges the stages have
// Generated: exchange_to_first_stage in generated/stages.glsl

void all_stages_again(inout line_point v[POINTS], Place place) {
#if ENDS_AS_IT_BEGINS
    STAGES_BACK(v, place, EXCHANGES);
#else
    exchange_to_first_stage(v, place);
    STAGES_BACK(v, place, EXCHANGES + 1);
#endif
}
