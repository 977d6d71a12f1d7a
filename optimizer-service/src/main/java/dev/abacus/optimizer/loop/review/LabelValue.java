package dev.abacus.optimizer.loop.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the label of a document is worth for the choice between implementations.
 *
 * <p>The choice depends on differences of mean scores. On a document where two implementations give
 * the same answer, the difference is 0 whatever the label. Where they differ, the label removes the
 * variance that the difference has without it, so the error of the mean difference falls by
 *
 * <pre>
 *   value = mean over pairs of ( variance of the difference · square of its weight )
 *
 *   filter: 4 p (1 − p) · ( p / (2 k)² + (1 − p) / (2 (1 − k))² )
 *   map:    a (1 − a) + b (1 − b)                    if the answers differ, else 0
 * </pre>
 *
 * <p>{@code p} is the probability that the document is to be kept, {@code a} and {@code b} that the
 * answers are right. Each score of the judge counts as one observation beside a uniform prior,
 * since the judge may be wrong, too. The balanced accuracy of a filter gives a decision the weight
 * of one half ÷ the share of its class, {@code k} or 1 − {@code k}: the rarer class decides.
 *
 * @param kept share of documents that the filter keeps, in (0, 1); null if all decisions have the
 *     same weight
 */
record LabelValue(@Nullable Double kept) {

  /**
   * What an implementation says of the document.
   *
   * @param output true or false of a filter, the written fields of a map
   * @param score of the judge in [0, 1]; null if it did not score the answer
   */
  record Answer(String implementation, JsonNode output, @Nullable Double score) {

    private double right() {
      return score == null ? 0.5 : (1 + score) / 3;
    }
  }

  /** The value of a label, at least 0; 0 if all answers are the same. */
  double of(List<Answer> answers) {
    double sum = 0;
    int pairs = 0;
    for (int i = 0; i < answers.size(); i++) {
      for (int j = i + 1; j < answers.size(); j++) {
        pairs++;
        if (!answers.get(i).output().equals(answers.get(j).output())) {
          sum += ofPair(answers.get(i), answers.get(j), answers);
        }
      }
    }
    return pairs == 0 ? 0 : sum / pairs;
  }

  private double ofPair(Answer one, Answer other, List<Answer> all) {
    if (!one.output().isBoolean()) {
      return variance(one.right()) + variance(other.right());
    }
    double keep = keep(all);
    double weight =
        kept == null ? 1 : keep / (4 * kept * kept) + (1 - keep) / (4 * (1 - kept) * (1 - kept));
    // One of the two is right, and the other is wrong.
    return 4 * variance(keep) * weight;
  }

  /** The probability that the document is to be kept. */
  private static double keep(List<Answer> answers) {
    double keep = 1;
    double scores = 2;
    for (Answer answer : answers) {
      Double score = answer.score();
      if (score != null) {
        keep += answer.output().equals(BooleanNode.TRUE) ? score : 1 - score;
        scores++;
      }
    }
    return keep / scores;
  }

  private static double variance(double probability) {
    return probability * (1 - probability);
  }
}
