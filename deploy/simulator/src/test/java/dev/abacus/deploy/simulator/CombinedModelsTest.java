package dev.abacus.deploy.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.simulator.Letters.Letter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Models that aggregate, refine or judge what other models answer. */
class CombinedModelsTest extends LettersTest {

  @Test
  void anAggregatorIsBetterThanAProposerButNotPerfect() {
    double[] sums = new double[4];
    for (Letter letter : letters.all()) {
      List<JsonNode> proposals = new ArrayList<>();
      RequestBuilder aggregate =
          RequestBuilder.map("gpt-4o", RequestBuilder.CATEGORY).about(letter.text());
      for (String proposer : List.of(WEAK, "mixtral-8x7b", "gpt-4.1-nano")) {
        JsonNode proposal =
            client.answer(
                RequestBuilder.map(proposer, RequestBuilder.CATEGORY).about(letter.text()));
        proposals.add(proposal.path("category"));
        aggregate =
            aggregate.with("<proposal n=\"" + proposals.size() + "\">" + proposal + "</proposal>");
      }
      JsonNode chosen = client.answer(aggregate).path("category");
      JsonNode truth = letter.truth("category");
      sums[0] += proposals.getFirst().equals(truth) ? 1 : 0;
      sums[1] += chosen.equals(truth) ? 1 : 0;
      sums[2] += proposals.contains(truth) ? 1 : 0;
      sums[3] += chosen.isMissingNode() || proposals.contains(chosen) ? 1 : 0;
    }

    assertThat(sums[1]).as("better than one proposal").isGreaterThan(sums[0] + 10);
    assertThat(sums[1]).as("not an oracle").isLessThan(sums[2]);
    assertThat(sums[3]).as("chooses among the proposals").isEqualTo(letters.all().size());
  }

  @Test
  void refiningAfterACritiqueRepairsAndMayBreakAnswers() {
    double drafted = 0;
    double refined = 0;
    int spoilt = 0;
    for (Letter letter : letters.all()) {
      JsonNode draft =
          client.answer(RequestBuilder.map(WEAK, RequestBuilder.CATEGORY).about(letter.text()));
      String drafting = "<draft>" + draft + "</draft>";
      RequestBuilder criticise =
          RequestBuilder.map("gpt-4o", RequestBuilder.CATEGORY)
              .ofFormat("critique", RequestBuilder.property("critique", "\"type\":\"string\""))
              .about(letter.text())
              .with(drafting);
      String critique = client.answer(criticise).path("critique").asText();
      RequestBuilder refine =
          RequestBuilder.map("gpt-4o", RequestBuilder.CATEGORY).about(letter.text()).with(drafting);
      JsonNode result = client.answer(refine.with("<critique>" + critique + "</critique>"));
      boolean before = draft.path("category").equals(letter.truth("category"));
      boolean after = result.path("category").equals(letter.truth("category"));
      drafted += before ? 1 : 0;
      refined += after ? 1 : 0;
      spoilt += before && !after ? 1 : 0;
    }

    assertThat(refined).isGreaterThan(drafted + 10).isLessThan(letters.all().size());
    assertThat(spoilt).isPositive();
  }

  @Test
  void aJudgeSeparatesGoodFromBadWithNoise() {
    Set<Double> scores = new HashSet<>();
    double good = 0;
    double bad = 0;
    for (Letter letter : letters.all()) {
      double right = score(letter, letter.truth("category").asText());
      good += right;
      bad +=
          score(
              letter, letter.truth("category").asText().equals("thanks") ? "new_order" : "thanks");
      scores.add(right);
    }

    assertThat(good / letters.all().size()).isBetween(0.8, 0.999);
    assertThat(bad / letters.all().size()).isBetween(0.001, 0.2);
    assertThat(scores).hasSizeGreaterThan(3);
  }

  private double score(Letter letter, String category) {
    RequestBuilder ask =
        RequestBuilder.map("o4-mini", "")
            .ofFormat(
                "judgement",
                RequestBuilder.property("score", "\"type\":\"number\",\"minimum\":0,\"maximum\":1"))
            .about(letter.text())
            .with("<output>{\"category\":\"" + category + "\"}</output>");
    return client.answer(ask).path("score").asDouble();
  }

  @Test
  void mistakesOfModelsAreCorrelatedButNotEqual() {
    List<String> models = List.of(WEAK, MIDDLING, "mixtral-8x7b", "gpt-4.1-nano");
    double together = 0;
    double apart = 0;
    double[] wrong = new double[models.size()];
    for (Letter letter : letters.all()) {
      boolean[] errs = new boolean[models.size()];
      for (int i = 0; i < errs.length; i++) {
        errs[i] =
            categoryRight(
                    letter,
                    RequestBuilder.map(models.get(i), RequestBuilder.CATEGORY).about(letter.text()))
                < 1;
        wrong[i] += errs[i] ? 1.0 / letters.all().size() : 0;
        for (int j = 0; j < i; j++) {
          together += errs[i] && errs[j] ? 1 : 0;
          apart += errs[i] ^ errs[j] ? 1 : 0;
        }
      }
    }
    double expected = 0;
    for (int i = 0; i < wrong.length; i++) {
      for (int j = 0; j < i; j++) {
        expected += wrong[i] * wrong[j] * letters.all().size();
      }
    }

    assertThat(together).isGreaterThan(1.15 * expected);
    assertThat(apart).isPositive();
  }
}
