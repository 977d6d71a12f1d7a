package dev.abacus.topology.scoring;

import static dev.abacus.topology.model.ScriptedModelClient.say;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.join.References;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The outputs of a one-to-many map are compared with the label row by row. */
class RowsScoreTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final FieldType TEXT = new FieldType.StringType(List.of());
  private static final SemanticMap ORDERS =
      new SemanticMap(
          "orders",
          "in",
          "List the orders.",
          List.of("text"),
          List.of(
              new Field("item", TEXT, "", false),
              new Field("count", new FieldType.IntegerType(null, null), "", false)),
          SemanticMap.Cardinality.MANY);

  private ScriptedModelClient judge = new ScriptedModelClient();

  private Score score(String rows, String label, String... metrics) throws Exception {
    List<Document> outputs = new ArrayList<>();
    for (var row : JSON.readTree(rows)) {
      outputs.add(Document.parse(row.toString()).with("text", JSON.readTree("\"hi\"")));
    }
    Map<String, QualityMetric> parsed = new LinkedHashMap<>();
    for (int i = 0; i < metrics.length; i += 2) {
      parsed.put(metrics[i], QualityMetric.parse(metrics[i + 1]));
    }
    SampleTask task =
        SampleTask.builder("t", "p")
            .operator(ORDERS)
            .physical(new ModelSelection("gpt-4o"))
            .exampleId("e")
            .input(Document.parse("{\"text\": \"hi\"}"))
            .label(JSON.readTree(label))
            .metrics(parsed)
            .judge("o4-mini")
            .build();
    return new Scorer(new Judge(ModelCatalogue.builtIn()))
        .score(
            task,
            new OperatorOutcome.Kept(outputs, ExecutionStats.NONE, null),
            judge,
            References.NONE);
  }

  private static Score byLabel(double quality) {
    return Score.known(quality, ScoredBy.LABEL, 0);
  }

  private static final String TWO =
      "[{\"item\": \"pen\", \"count\": 1}, {\"item\": \"ink\", \"count\": 2}]";

  @Test
  void valuesThatAreRightInOtherRowsDoNotCount() throws Exception {
    String swapped = "[{\"item\": \"pen\", \"count\": 2}, {\"item\": \"ink\", \"count\": 1}]";

    assertThat(score(TWO, TWO)).isEqualTo(byLabel(1));
    assertThat(score(swapped, TWO)).isEqualTo(byLabel(0.5));
    assertThat(score(swapped, TWO, "orders", "exact")).isEqualTo(byLabel(0));
  }

  @Test
  void theOrderOfRowsDoesNotMatter() throws Exception {
    String reversed = "[{\"item\": \"ink\", \"count\": 2}, {\"item\": \"pen\", \"count\": 1}]";

    assertThat(score(reversed, TWO)).isEqualTo(byLabel(1));
  }

  @Test
  void rowsTooManyAndTooFewReduceTheScore() throws Exception {
    String one = "[{\"item\": \"pen\", \"count\": 1}]";

    assertThat(score(one, TWO)).isEqualTo(byLabel(2.0 / 3));
    assertThat(score(TWO, one)).isEqualTo(byLabel(2.0 / 3));
    assertThat(score(TWO, one, "orders", "recall")).isEqualTo(byLabel(1));
    assertThat(score(TWO, one, "orders", "precision")).isEqualTo(byLabel(0.5));
    assertThat(score(TWO, one, "orders", "rank-precision@1")).isEqualTo(byLabel(1));
    assertThat(score("[]", one)).isEqualTo(byLabel(0));
    assertThat(score(one, "[]")).isEqualTo(byLabel(0));
    assertThat(score("[]", "[]")).isEqualTo(byLabel(1));
  }

  @Test
  void eachRowOfTheLabelIsFoundOnce() throws Exception {
    String twice = "[{\"item\": \"pen\", \"count\": 1}, {\"item\": \"pen\", \"count\": 1}]";

    assertThat(score(twice, TWO)).isEqualTo(byLabel((1 + 0) / 2.0));
  }

  @Test
  void aLabelMayHaveOneListPerField() throws Exception {
    assertThat(score(TWO, "{\"item\": [\"ink\", \"pen\"], \"count\": [2, 1]}"))
        .isEqualTo(byLabel(1));
    assertThat(score(TWO, "{\"item\": [\"ink\", \"pen\"], \"count\": [1, 2]}"))
        .isEqualTo(byLabel(0.5));
  }

  @Test
  void theJudgeScoresFieldsThatNoRowOfTheLabelHas() throws Exception {
    judge = new ScriptedModelClient(say("{\"score\": 0.5}"));

    assertThat(score(TWO, "[{\"item\": \"ink\"}, {\"item\": \"pen\"}]").quality()).isEqualTo(0.75);
    assertThat(ScriptedModelClient.words(judge.requests().getFirst()))
        .contains("{\"count\":[1,2]}");
  }

  @Test
  void aLabelThatIsNoListOfRowsIsNotComparedWith() throws Exception {
    assertThat(score(TWO, "[\"pen\"]").quality()).isNull();
    assertThat(score(TWO, "\"pen\"").quality()).isNull();
  }

  @Test
  void theAssignmentHasTheLargestSum() {
    Random random = new Random(7);
    for (int round = 0; round < 300; round++) {
      double[][] values = new double[1 + random.nextInt(5)][1 + random.nextInt(5)];
      for (double[] row : values) {
        for (int j = 0; j < row.length; j++) {
          row[j] = random.nextInt(4) / 3.0;
        }
      }
      assertThat(Assignment.largestSum(values)).isCloseTo(best(values, 0, 0), within(1e-9));
    }
  }

  /** Tries all assignments. */
  private static double best(double[][] values, int row, int used) {
    if (row == values.length) {
      return 0;
    }
    double best = best(values, row + 1, used);
    for (int j = 0; j < values[0].length; j++) {
      if ((used & 1 << j) == 0) {
        best = Math.max(best, values[row][j] + best(values, row + 1, used | 1 << j));
      }
    }
    return best;
  }
}
