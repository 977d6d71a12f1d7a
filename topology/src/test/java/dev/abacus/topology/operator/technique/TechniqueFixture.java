package dev.abacus.topology.operator.technique;

import static dev.abacus.topology.model.ScriptedModelClient.words;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** Two operators, a document, and models that answer as told. */
abstract class TechniqueFixture {

  static final FieldType TEXT = new FieldType.StringType(List.of());
  static final Field NAMES = new Field("names", new FieldType.ListType(TEXT), "all names", false);
  static final Field TITLE = new Field("title", TEXT, "its title", false);
  static final SemanticMap MAP =
      new SemanticMap("m", "in", "Find them.", List.of("text"), List.of(TITLE, NAMES));
  static final SemanticFilter FILTER =
      new SemanticFilter("f", "in", List.of("It is red.", "It is round."), List.of("text"));
  static final Document DOCUMENT = document("{\"id\": 7, \"text\": \"Ann met Bob.\"}");
  static final String EMPTY = "{\"title\": \"T\", \"names\": []}";

  final OperatorRuntime runtime =
      new OperatorRuntime(Embedders.of(), _ -> new CharacterTokenizer());

  static Document document(String json) {
    try {
      return Document.parse(json);
    } catch (InvalidDocumentException e) {
      throw new AssertionError(e);
    }
  }

  OperatorOutcome run(LogicalOperator operator, PhysicalOperator technique, ModelClient model)
      throws InterruptedException {
    return runtime.execute(operator, technique, DOCUMENT, model);
  }

  static Document kept(OperatorOutcome outcome) {
    assertThat(outcome).isInstanceOf(OperatorOutcome.Kept.class);
    return ((OperatorOutcome.Kept) outcome).document();
  }

  /** Answers by model, whatever the order of the calls. */
  static final class ByModel implements ModelClient {
    final Map<String, ModelAnswer> answers = new ConcurrentHashMap<>();
    final Map<String, ModelRequest> requests = new ConcurrentHashMap<>();

    ByModel says(String model, String text, double latency) {
      answers.put(
          model, new ModelAnswer.Success(text, new ExecutionStats(0.01, latency, 1), List.of()));
      return this;
    }

    ByModel fails(String model) {
      answers.put(
          model,
          new ModelAnswer.Failed(
              new ModelFailure.Refused(400, "no " + model), new ExecutionStats(0, 9, 1)));
      return this;
    }

    @Override
    public ModelAnswer call(ModelRequest request) {
      requests.put(request.model(), request);
      return Objects.requireNonNull(answers.get(request.model()));
    }

    String asked(String model) {
      return words(Objects.requireNonNull(requests.get(model)));
    }
  }
}
