package dev.abacus.deploy.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Adds a logical operator to a copy of the sources and compiles it. The steps here are the list
 * under "Add a logical operator" in CONTRIBUTING.md: eleven files beside its own.
 */
class LogicalOperatorWalkTest {

  private static final String SCHEMAS = "dev/abacus/schemas/";
  private static final String TOPOLOGY = "dev/abacus/topology/";
  private static final String RULES = "dev/abacus/optimizer/search/rule/implementation/";
  private static final String CLI = "dev/abacus/deploy/";

  /** Files that say what the operator means to them; the compiler names each. */
  private static final List<String> PLACES =
      List.of(
          "LogicalOperator.java",
          "OperatorCheck.java",
          "JudgedFields.java",
          "AnswerClasses.java",
          "ResultSchema.java",
          "OperatorPrompt.java",
          "Scorer.java",
          "ExampleFile.java",
          "DocumentWalk.java");

  @TempDir Path folder;
  private SourceWalk walk;

  @BeforeEach
  void copySources() throws IOException {
    walk = SourceWalk.in(folder);
  }

  @Test
  void theCompilerNamesEveryPlaceOfANewOperator() throws IOException {
    addRecord();

    assertThat(walk.compile())
        .extracting(error -> error.substring(0, error.indexOf(':')))
        .containsAll(PLACES)
        .isSubsetOf(PLACES);
  }

  @Test
  void theListedStepsAddAnOperatorThatIsParsedWrittenEnumeratedAndRuns() throws Exception {
    addRecord();
    describe();
    run();
    inCommands();
    walk.add(RULES, "ImplementSummaryWithModel.java");
    walk.replace(
        RULES + "ImplementationRules.java",
        "MapAndFilterRules.MODEL_SELECTION,",
        "MapAndFilterRules.MODEL_SELECTION,\n          ImplementSummaryWithModel.RULE,");
    walk.add("dev/abacus/walk", "UseSummarize.java");

    assertThat(walk.compile()).isEmpty();
    assertThat(walk.use("UseSummarize"))
        .isEqualTo(
            "[{\"summarize\":\"shorten\",\"input\":\"in\",\"field\":\"text\",\"writes\":\"summary\"},"
                + " [model-selection(gpt-4o-mini)], parcel]");
  }

  private void addRecord() throws IOException {
    walk.add(SCHEMAS + "program", "Summarize.java");
    walk.replace(
        SCHEMAS + "program/LogicalOperator.java",
        "permits SemanticMap,",
        "permits Summarize, SemanticMap,");
  }

  /** Its form in programs, its label and its result. */
  private void describe() throws IOException {
    addCase(
        SCHEMAS + "program/LogicalOperator.java",
        "case SemanticMap _ -> \"map\";",
        "-> \"summarize\";");
    String reader = SCHEMAS + "program/io/OperatorReader.java";
    walk.replace(reader, "List.of(\"map\",", "List.of(\"map\", \"summarize\",");
    walk.replace(
        reader,
        "case \"map\" -> map(node, input);",
        """
        case "summarize" ->
            new dev.abacus.schemas.program.Summarize(
                id(node, "summarize"), input, node.text("field"), node.text("writes"));
        case "map" -> map(node, input);
        """);
    walk.replace(
        SCHEMAS + "program/io/OperatorCheck.java",
        "case SemanticMap _, SemanticFilter _,",
        "case dev.abacus.schemas.program.Summarize _, SemanticMap _, SemanticFilter _,");
    addCase(
        SCHEMAS + "observation/JudgedFields.java",
        "case SemanticMap map ->",
        "-> summary.asMap().writes();");
    addCase(SCHEMAS + "program/AnswerClasses.java", "case SemanticMap map ->", "-> List.of();");
    addCase(
        SCHEMAS + "result/ResultSchema.java",
        "case SemanticMap map ->",
        "-> before.with(written(summary.asMap().writes(), record));");
  }

  /** Its prompt and its score. */
  private void run() throws IOException {
    addCase(
        TOPOLOGY + "operator/prompt/OperatorPrompt.java",
        "case SemanticMap map ->",
        "-> new MapPrompt(summary.asMap());");
    addCase(
        TOPOLOGY + "scoring/Scorer.java",
        "case SemanticMap map -> {",
        "-> Score.unknown(summary.id(), 0);");
    addCase(
        TOPOLOGY + "scoring/Scorer.java",
        "case SemanticMap map -> Objects",
        "-> Objects.requireNonNull(OperatorPrompt.of(summary)).output(outcome);");
  }

  /** Its labels in files, and its price before a run. */
  private void inCommands() throws IOException {
    addCase(CLI + "job/ExampleFile.java", "case SemanticFilter _ ->", "-> null;");
    addCase(CLI + "price/DocumentWalk.java", "case SemanticMap map ->", "-> input;");
  }

  private void addCase(String file, String before, String result) throws IOException {
    walk.replace(
        file,
        before,
        "case dev.abacus.schemas.program.Summarize summary %s\n      %s".formatted(result, before));
  }
}
