package dev.abacus.optimizer.learned;

/**
 * An embedding with the right answer.
 *
 * @param id id of the validation example; unique within a training set
 * @param vector the embedding of the input; must not be changed
 * @param answer index of the right class
 * @param labelled whether the answer is a label; else a model gave it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; copying would double the memory
public record LabelledVector(String id, float[] vector, int answer, boolean labelled) {}
