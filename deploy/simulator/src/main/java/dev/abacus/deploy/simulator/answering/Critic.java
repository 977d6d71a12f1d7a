package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.simulator.skill.Skill.TaskKind;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Says which fields of a draft look wrong; overlooks some and suspects some in vain, by its skill.
 */
final class Critic {

  private static final String FINE = "no objection";

  /** A right field is suspected only when luck is clearly bad: models rather let things pass. */
  private static final double SUSPICION = -1;

  private final ModelCall scene;

  Critic(ModelCall scene) {
    this.scene = scene;
  }

  /** The critique of a draft: one line per field. */
  String critique(List<Question> questions, JsonNode draft) {
    List<String> lines = new ArrayList<>();
    lines.add("Simulated critique of the draft:");
    for (Question question : questions) {
      GroundTruth truth = question.truth();
      boolean doubtful = truth != null && doubts(truth, draft.path(question.name()));
      lines.add(
          "- "
              + question.name()
              + ": "
              + (doubtful ? "doubtful; compare it with the document again" : FINE)
              + ".");
    }
    return String.join("\n", lines);
  }

  private boolean doubts(GroundTruth truth, JsonNode drafted) {
    boolean seeable = truth.absent() || scene.eyes().look(truth, 0).visible();
    boolean wrong = seeable && !AnswerSimilarity.same(truth.value(), drafted);
    double latent =
        scene.skill().margin(TaskKind.CRITIQUE, truth.difficulty(), scene.where())
            + scene.luck().of("critique", truth.document(), truth.key(), "");
    return wrong ? latent > 0 : latent < SUSPICION;
  }

  /** Whether a critique, by whomever, objects to a field. */
  static boolean objects(String critique, String field) {
    Pattern line =
        Pattern.compile("(?im)^\\s*[-*]?\\s*\"?" + Pattern.quote(field) + "\"?\\s*:\\s*(.*)$");
    var matcher = line.matcher(critique);
    if (matcher.find()) {
      return !matcher.group(1).contains(FINE);
    }
    return critique.contains(field);
  }
}
