package dev.abacus.optimizer.loop.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LabelValueTest {

  private static LabelValue.Answer answer(JsonNode output, @Nullable Double score) {
    return new LabelValue.Answer("m", output, score);
  }

  private static LabelValue.Answer keeps(boolean keep, @Nullable Double score) {
    return answer(BooleanNode.valueOf(keep), score);
  }

  /** The variance of what one implementation gains on the other, over both possible labels. */
  private static double enumerated(double keep, double ifKept, double ifDropped) {
    double mean = keep * ifKept - (1 - keep) * ifDropped;
    return keep * (ifKept - mean) * (ifKept - mean)
        + (1 - keep) * (-ifDropped - mean) * (-ifDropped - mean);
  }

  @Test
  void theValueIsTheVarianceOfTheDifferenceOverBothLabels() {
    List<LabelValue.Answer> disagree = List.of(keeps(true, 0.7), keeps(false, 0.4));
    // A uniform prior and two scores: that of the first for keeping, that of the second against.
    double keep = (1 + 0.7 + 0.6) / 4;

    assertThat(new LabelValue(null).of(disagree)).isCloseTo(enumerated(keep, 1, 1), within(1e-12));
    assertThat(new LabelValue(0.1).of(disagree))
        .isCloseTo(enumerated(keep, 1 / 0.2, 1 / 1.8), within(1e-12));
  }

  @Test
  void equalAnswersHaveNoValueHoweverUnsureTheJudgeIs() {
    assertThat(new LabelValue(0.1).of(List.of(keeps(true, 0.5), keeps(true, 0.5)))).isZero();
    assertThat(new LabelValue(null).of(List.of(answer(TextNode.valueOf("a"), 0.5)))).isZero();
    assertThat(
            new LabelValue(null)
                .of(
                    List.of(
                        answer(TextNode.valueOf("a"), 0.5), answer(TextNode.valueOf("a"), null))))
        .isZero();
  }

  @Test
  void aLabelIsWorthMoreWhereTheJudgeIsUnsureTheClassIsRareAndMoreDisagree() {
    LabelValue even = new LabelValue(0.5);
    LabelValue rare = new LabelValue(0.05);
    List<LabelValue.Answer> unsure = List.of(keeps(true, 0.5), keeps(false, 0.5));
    List<LabelValue.Answer> sure = List.of(keeps(true, 0.95), keeps(false, 0.05));

    assertThat(even.of(unsure)).isGreaterThan(even.of(sure));
    assertThat(even.of(sure)).as("the judge may be wrong").isGreaterThan(0.5 * even.of(unsure));
    assertThat(rare.of(unsure)).isGreaterThan(10 * even.of(unsure));
    assertThat(
            even.of(
                List.of(
                    keeps(true, null), keeps(true, null), keeps(false, null), keeps(false, null))))
        .isGreaterThan(
            even.of(
                List.of(
                    keeps(true, null), keeps(true, null), keeps(true, null), keeps(false, null))));
    LabelValue plain = new LabelValue(null);
    assertThat(
            plain.of(
                List.of(answer(TextNode.valueOf("a"), 0.5), answer(TextNode.valueOf("b"), 0.5))))
        .isGreaterThan(
            plain.of(
                List.of(answer(TextNode.valueOf("a"), 0.9), answer(TextNode.valueOf("b"), 0.1))));
  }
}
