package dev.abacus.optimizer.learned;

/**
 * What a classifier learns from: an input as a vector, with its answer.
 *
 * @param id of the validation example that it goes back to; unique among those learnt from together
 * @param vector the input's embedding; never changed
 * @param answer number of the right class
 * @param labelled whether a label said so; else a model did
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody, and copying would double the memory
public record LabelledVector(String id, float[] vector, int answer, boolean labelled) {}
