package dev.abacus.schemas.plan;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;

/**
 * A linear classifier on embeddings that answers when it is sure. It travels in the plan, so that
 * every instance decides alike.
 *
 * @param classes answers that it can give, as JSON texts; at least two
 * @param weights {@code classes × (dimension + 1)} numbers (the last of each row is the intercept),
 *     as little-endian 32-bit floats in Base64
 * @param thresholds by class, the least probability with which it answers alone; above 1 where it
 *     never does
 * @param precision lower confidence limit of the share of right answers among those given alone
 * @param examples how many it was trained on
 */
public record TrainedClassifier(
    List<String> classes, String weights, List<Double> thresholds, double precision, int examples) {

  public TrainedClassifier {
    classes = List.copyOf(classes);
    thresholds = List.copyOf(thresholds);
    if (classes.size() < 2 || thresholds.size() != classes.size()) {
      throw new IllegalArgumentException(
          "%d classes and %d thresholds; at least two classes, and a threshold for each"
              .formatted(classes.size(), thresholds.size()));
    }
  }

  /** A row of weights for each class. */
  public float[][] rows() {
    ByteBuffer buffer =
        ByteBuffer.wrap(Base64.getDecoder().decode(weights)).order(ByteOrder.LITTLE_ENDIAN);
    int width = buffer.remaining() / Float.BYTES / classes.size();
    float[][] rows = new float[classes.size()][width];
    for (float[] row : rows) {
      buffer.asFloatBuffer().get(row);
      buffer.position(buffer.position() + width * Float.BYTES);
    }
    return rows;
  }

  /** Rows as {@link #weights} takes them. */
  public static String encode(float[][] rows) {
    ByteBuffer buffer =
        ByteBuffer.allocate(rows.length * rows[0].length * Float.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    for (float[] row : rows) {
      for (float weight : row) {
        buffer.putFloat(weight);
      }
    }
    return Base64.getEncoder().encodeToString(buffer.array());
  }
}
