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
 * Says what a draft lacks: true values that it can see in the document and not in the draft, as far
 * as its skill goes; sometimes it suspects a gap where there is none. What is wrong is not missing.
 */
final class GapChecker {

  /** As a critic's: models rather let things pass. */
  private static final double SUSPICION = -1;

  private final ModelCall scene;

  GapChecker(ModelCall scene) {
    this.scene = scene;
  }

  /** One line per field that lacks something. */
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

  private boolean notices(GroundTruth truth, int item, String luck) {
    EvidenceMatch sight = scene.eyes().look(truth, item);
    return sight.visible() && latent(truth, sight.position(), "check", luck) > 0;
  }

  private boolean suspects(GroundTruth truth) {
    return latent(truth, scene.where().position(), "suspicion", "") < SUSPICION;
  }

  private double latent(GroundTruth truth, double position, String role, String luck) {
    double margin =
        scene.skill().margin(TaskKind.CRITIQUE, truth.difficulty(), scene.where().at(position));
    return margin + scene.luck().of(role, truth.document(), truth.key(), luck);
  }
}
