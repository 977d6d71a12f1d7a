package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.simulator.skill.Skill.TaskKind;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reports the fields of a draft that look wrong. Depending on its skill it misses wrong fields and
 * doubts right ones.
 */
record Critic(ModelCall call) {

  private static final String FINE = "no objection";

  /** A right field is doubted only below this latent value: models tend to accept drafts. */
  private static final double SUSPICION = -1;

  /** A critique with one line per field. */
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
    boolean visible = truth.absent() || call.locator().locate(truth, 0).visible();
    boolean wrong = visible && !AnswerSimilarity.same(truth.value(), drafted);
    double latent =
        call.latent(TaskKind.CRITIQUE, truth, call.conditions().position(), "critique", "");
    return wrong ? latent > 0 : latent < SUSPICION;
  }

  /** Whether a critique, of any author, objects to a field. */
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
