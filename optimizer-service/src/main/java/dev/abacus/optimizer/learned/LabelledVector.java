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
public record LabelledVector(String id, float[] vector, int answer, boolean labelled) {

  /** The hash of an id, spread for ids that differ in the last characters only (murmur3). */
  static int mixed(String id) {
    int hash = id.hashCode();
    int h = (hash ^ (hash >>> 16)) * 0x85ebca6b;
    h = (h ^ (h >>> 13)) * 0xc2b2ae35;
    return h ^ (h >>> 16);
  }

  /** Whether a vector has components, all of them finite. */
  public static boolean isFinite(float[] vector) {
    for (float component : vector) {
      if (!Float.isFinite(component)) {
        return false;
      }
    }
    return vector.length > 0;
  }
}
