package dev.abacus.topology.harness;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.CompressedContext;
import dev.abacus.schemas.plan.ConditionByCondition;
import dev.abacus.schemas.plan.CritiqueAndRefine;
import dev.abacus.schemas.plan.Gleaning;
import dev.abacus.schemas.plan.HeadAndTail;
import dev.abacus.schemas.plan.MixtureOfAgents;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.SplitAndMerge;
import dev.abacus.schemas.plan.TupleBatch;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ResponseSchema;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Providers cache the beginning of a prompt: it must not change from document to document. */
class PromptPrefixTest {

  private static final SemanticMap MAP =
      new SemanticMap(
          "m",
          "in",
          "Repeat the marker.",
          List.of("text"),
          List.of(new Field("echo", new FieldType.StringType(List.of()), "the marker", false)));
  private static final SemanticFilter FILTER =
      new SemanticFilter("f", "in", List.of("It is red.", "It is round."), List.of("text"));

  static Stream<PhysicalOperator> techniques() {
    return Stream.of(
        new ModelSelection("a"),
        new CritiqueAndRefine("a", "b", "c"),
        new MixtureOfAgents(List.of("a", "b"), 0.4, "c"),
        new Gleaning("a", "b", 2),
        new CompressedContext("a", "b"),
        new HeadAndTail("a", 1_000),
        new SplitAndMerge("a", 100, "b"),
        new TupleBatch("a", 4));
  }

  static Stream<PhysicalOperator> techniquesOfFilters() {
    return Stream.concat(techniques(), Stream.of(new ConditionByCondition("a")))
        .filter(technique -> !(technique instanceof Gleaning));
  }

  /** What a provider reads before the user message. */
  private record Prefix(String model, @Nullable ResponseSchema schema, String system) {}

  private static Set<Prefix> prefixes(
      LogicalOperator operator, PhysicalOperator technique, String marker)
      throws InterruptedException {
    EchoModel model = new EchoModel();
    String text = "The marker is #" + marker + "#. " + "It goes on. ".repeat(200);
    Document document = Document.empty().with("text", TextNode.valueOf(text));
    new OperatorRuntime(Embedders.of()).execute(operator, technique, document, model);
    Set<Prefix> prefixes = new HashSet<>();
    assertThat(model.requests())
        .isNotEmpty()
        .allSatisfy(request -> {
          assertThat(request.system()).doesNotContain(marker);
          prefixes.add(new Prefix(request.model(), request.responseSchema(), request.system()));
        });
    return prefixes;
  }

  @ParameterizedTest
  @MethodSource("techniques")
  void theDocumentsOfAMapShareThePrefixOfEachCall(PhysicalOperator technique)
      throws InterruptedException {
    assertThat(prefixes(MAP, technique, "first yes"))
        .isEqualTo(prefixes(MAP, technique, "second yes"));
  }

  @ParameterizedTest
  @MethodSource("techniquesOfFilters")
  void theDocumentsOfAFilterShareThePrefixOfEachCall(PhysicalOperator technique)
      throws InterruptedException {
    assertThat(prefixes(FILTER, technique, "first yes"))
        .isEqualTo(prefixes(FILTER, technique, "second yes"));
  }
}
