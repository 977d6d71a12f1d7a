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
 * variance that the weighted difference has without it, and the squared error of the mean
 * difference falls by as much:
 *
 * <pre>
 *   value = mean over pairs of the variance, which is 0 for equal answers, and else
 *
 *   filter: p (1 − p) (u + v)²      one gains u if the document is to be kept, else the other v
 *   map:    a (1 − a) + b (1 − b)
 * </pre>
 *
 * <p>{@code p} is the probability that the document is to be kept, {@code a} and {@code b} that the
 * answers are right. Each score of the judge counts as one observation beside a uniform prior,
 * since the judge may be wrong, too. The balanced accuracy of a filter weighs a decision by one
 * half ÷ the share of its class, u = 1 / 2k and v = 1 / 2(1 − k), so that a rare class makes labels
 * worth more; other scores weigh all decisions by 1.
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
    double weights = kept == null ? 2 : 0.5 / kept + 0.5 / (1 - kept);
    return variance(keep(all)) * weights * weights;
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
