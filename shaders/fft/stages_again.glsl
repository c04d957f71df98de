// The stages once more, after the points have gone back to where they were before the first stage.
//
// Defines: ENDS_AS_IT_BEGINS  1: a thread has the same positions before the first stage and after the last
// Inputs: EXCHANGES, how many exchanges the stages have
// Generated: exchange_to_first_stage in generated/stages.glsl

void all_stages_again(inout line_point v[POINTS], Place place) {
#if ENDS_AS_IT_BEGINS
    all_stages(v, place, EXCHANGES);
#else
    exchange_to_first_stage(v, place);
    all_stages(v, place, EXCHANGES + 1);
#endif
}
