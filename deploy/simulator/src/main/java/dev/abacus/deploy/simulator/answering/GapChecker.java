package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.abacus.deploy.simulator.answering.EvidenceLocator.EvidenceMatch;
import dev.abacus.deploy.simulator.skill.Skill.TaskKind;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import dev.abacus.deploy.simulator.truth.TextNormalizer;
import java.util.ArrayList;
import java.util.List;

/**
 * Reports fields of a draft that lack values which the document shows. Depending on its skill it
 * misses gaps and reports gaps that do not exist. A wrong value is not a gap.
 */
record GapChecker(ModelCall call) {

  /** A gap is suspected in vain only below this latent value, as in {@link Critic}. */
  private static final double SUSPICION = -1;

  /** One line per field that lacks a value. */
  List<String> missing(List<Question> questions, JsonNode draft) {
    List<String> lines = new ArrayList<>();
    for (Question question : questions) {
      GroundTruth truth = question.truth();
      if (truth != null && lacks(truth, draft.path(question.name()))) {
        lines.add(question.name() + ": something seems to be missing (simulated check)");
      }
    }
    return lines;
  }

  private boolean lacks(GroundTruth truth, JsonNode drafted) {
    if (truth.value().isArray()) {
      boolean any = false;
      for (int i = 0; i < truth.value().size(); i++) {
        JsonNode item = truth.value().get(i);
        any |=
            !AnswerSimilarity.contains(drafted, item) && notices(truth, i, TextNormalizer.of(item));
      }
      return any || suspects(truth);
    }
    boolean empty =
        drafted.isNull()
            || drafted.isMissingNode()
            || drafted.asText().isBlank()
            || (drafted.equals(BooleanNode.FALSE) && truth.value().asBoolean());
    return (empty && !truth.absent()) ? notices(truth, 0, "") : suspects(truth);
  }

  private boolean notices(GroundTruth truth, int index, String item) {
    EvidenceMatch evidence = call.locator().locate(truth, index);
    return evidence.visible()
        && call.latent(TaskKind.CRITIQUE, truth, evidence.position(), "check", item) > 0;
  }

  private boolean suspects(GroundTruth truth) {
    double position = call.conditions().position();
    return call.latent(TaskKind.CRITIQUE, truth, position, "suspicion", "") < SUSPICION;
  }
}
