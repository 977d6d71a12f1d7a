package dev.abacus.deploy.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.job.Job;
import dev.abacus.deploy.job.JobInput;
import dev.abacus.deploy.job.JobResult;
import dev.abacus.deploy.score.DocumentOutcomes;
import dev.abacus.deploy.score.ResultScores;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.redaction.Redaction;
import dev.abacus.topology.scoring.Judge;
import dev.abacus.topology.scoring.Scorer;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Scores the results of a run against labels.
 *
 * <p>If several operators may drop a document, results do not tell which one did. Then a local
 * stack records the journeys of all documents, and the scores use those that workers have recorded.
 *
 * @param labels labels by operator, by document key; empty for no scores
 */
record LabelScoring(Program program, Map<String, JsonNode> labels, ModelCatalogue catalogue) {

  /** Time to wait for journeys after the last document. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /**
   * Scoring by labels of documents, as results have them: with tokens, if the program hides values
   * and does not restore them.
   */
  static LabelScoring of(
      Program program, Map<String, JsonNode> labels, JobInput input, ModelCatalogue catalogue) {
    Redaction redaction = program.redaction();
    if (redaction == null || redaction.restore()) {
      return new LabelScoring(program, labels, catalogue);
    }
    Map<String, JsonNode> hidden = new HashMap<>(labels);
    input
        .documents()
        .forEach((source, documents) ->
            documents.forEach(one ->
                hidden.computeIfPresent(
                    one.key(), (_, given) -> redacted(program, source, one.document(), given))));
    return new LabelScoring(program, hidden, catalogue);
  }

  private static JsonNode redacted(
      Program program, String source, Document document, JsonNode labels) {
    Map<String, JsonNode> byOperator = new LinkedHashMap<>();
    labels.forEachEntry(byOperator::put);
    ObjectNode hidden = JsonNodeFactory.instance.objectNode();
    try {
      return hidden.setAll(
          new ValidationExample("", source, document, byOperator)
              .read(program)
              .redacted(program)
              .labels());
    } catch (InvalidDocumentException e) {
      return labels; // The document becomes a dead letter, and has nothing to compare.
    }
  }

  private boolean needsJourneys() {
    return !labels.isEmpty() && ResultScores.needsJourneys(program);
  }

  /** The settings of a local stack: those given, and journeys if the scores need them. */
  Map<String, String> settings(Map<String, String> given) {
    Map<String, String> settings = new HashMap<>();
    if (needsJourneys()) {
      settings.put("abacus.journeys.share", "1");
      settings.put("abacus.journeys.per.minute", Integer.toString(Integer.MAX_VALUE));
      settings.put("abacus.journeys.texts", "false");
    }
    settings.putAll(given);
    return settings;
  }

  /** The scores of a finished job; labels of other documents do not count. */
  ResultScores.Scores scores(Job job) {
    if (labels.isEmpty()) {
      return ResultScores.Scores.NONE;
    }
    Map<String, List<ObjectNode>> results = new HashMap<>();
    job.resultsByDocument()
        .forEach(
            (key, outputs) -> results.put(key, outputs.stream().map(JobResult::output).toList()));
    Map<String, String> failures = new HashMap<>();
    job.failures().forEach(failure -> failures.put(failure.key(), failure.operator()));
    Set<String> known = job.documentKeys();
    Map<String, JsonNode> own = new LinkedHashMap<>(labels);
    own.keySet().removeIf(key -> !known.contains(key) && !results.containsKey(key));
    DocumentOutcomes outcomes = new DocumentOutcomes(results, failures);
    try {
      return new ResultScores(
              program,
              new Scorer(new Judge(catalogue)),
              own,
              needsJourneys() ? outcomes.withJourneys(job.journeys(PATIENCE)) : outcomes)
          .scores();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ResultScores.Scores.NONE;
    }
  }
}
