package dev.abacus.deploy.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Adds a technique to a copy of the sources and compiles it. The steps here are the list under "Add
 * a technique" in CONTRIBUTING.md; a step that this test does not need must not be in that list,
 * and the other way round.
 */
class TechniqueWalkTest {

  private static final String PHYSICAL_OPERATOR = "dev/abacus/schemas/plan/PhysicalOperator.java";
  private static final String RUNTIME =
      "dev/abacus/topology/operator/technique/OperatorRuntime.java";
  private static final String RULES =
      "dev/abacus/optimizer/search/rule/implementation/ImplementationRules.java";

  @TempDir Path folder;
  private SourceWalk walk;

  @BeforeEach
  void copySources() throws IOException {
    walk = SourceWalk.in(folder);
  }

  @Test
  void aRecordAloneDoesNotCompileAndTheCompilerNamesThePlaces() throws IOException {
    addRecord();

    assertThat(walk.compile())
        .isNotEmpty()
        .allSatisfy(error -> assertThat(error).startsWith("OperatorRuntime.java: "));
  }

  @Test
  void theListedStepsAddATechniqueThatIsEnumeratedAndRuns() throws Exception {
    addRecord();
    addExecutor();
    addRule();
    walk.add("dev/abacus/walk", "UseRepeatedCall.java");

    assertThat(walk.compile()).isEmpty();
    assertThat(walk.use("UseRepeatedCall"))
        .isEqualTo(
            "[[repeated-call(gpt-4o-mini,n=2), repeated-call(gpt-4o-mini,n=3)],"
                + " repeated-call(gpt-4o-mini,n=3), call 3]");
  }

  private void addRecord() throws IOException {
    walk.add("dev/abacus/schemas/plan", "RepeatedCall.java");
    walk.replace(
        PHYSICAL_OPERATOR,
        "        MixtureOfAgents,\n",
        "        MixtureOfAgents,\n        RepeatedCall,\n");
  }

  private void addExecutor() throws IOException {
    walk.add("dev/abacus/topology/operator/technique", "RepeatedCallExecutor.java");
    walk.replace(
        RUNTIME,
        "return switch (technique) {\n      case ModelSelection",
        """
        return switch (technique) {
              case dev.abacus.schemas.plan.RepeatedCall repeated ->
                  RepeatedCallExecutor.run(SemanticCall.of(execution), repeated);
              case ModelSelection\
        """);
  }

  private void addRule() throws IOException {
    walk.add("dev/abacus/optimizer/search/rule/implementation", "ImplementWithRepeatedCall.java");
    walk.replace(
        RULES,
        "MapAndFilterRules.MODEL_SELECTION,",
        "MapAndFilterRules.MODEL_SELECTION,\n          ImplementWithRepeatedCall.RULE,");
  }
}
