package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a linear classifier on embeddings with a rejection threshold per class. They
 * travel in the plan, so that every instance decides alike.
 *
 * @param classes possible answers as JSON texts; at least two
 * @param weights matrix of {@code classes × (dimensions + 1)} weights; the last of each row is the
 *     intercept; little-endian 32-bit floats in Base64
 * @param thresholds per class: the least probability at which the classifier gives this answer;
 *     above 1 if it never gives it
 * @param precision lower confidence bound of the precision of its answers
 * @param examples number of training examples
 * @param leastScore the least scalar product of an embedding with the weights of its class, without
 *     intercept; below it the document is like no training example and gets no answer. Null for
 *     none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TrainedClassifier(
    List<String> classes,
    String weights,
    List<Double> thresholds,
    double precision,
    int examples,
    @Nullable Double leastScore) {

  /** A threshold above every probability: the answer is never given. */
  public static final double NEVER = 2;

  /** A classifier that answers also about documents that are like no training example. */
  public TrainedClassifier(
      List<String> classes,
      String weights,
      List<Double> thresholds,
      double precision,
      int examples) {
    this(classes, weights, thresholds, precision, examples, null);
  }

  public TrainedClassifier {
    classes = List.copyOf(classes);
    thresholds = List.copyOf(thresholds);
    if (classes.size() < 2 || thresholds.size() != classes.size()) {
      throw new IllegalArgumentException(
          "%d classes and %d thresholds; expected at least two classes and one threshold per class"
              .formatted(classes.size(), thresholds.size()));
    }
  }

  /** Decodes {@link #weights}: one row per class. */
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

  /** Encodes rows in the format of {@link #weights}. */
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
