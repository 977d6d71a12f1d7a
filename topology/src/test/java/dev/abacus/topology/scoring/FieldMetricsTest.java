package dev.abacus.topology.scoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.topology.scoring.FieldMetrics.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FieldMetricsTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final List<String> METRICS =
      List.of("exact", "f1", "span-f1", "rank-precision@3", "recall", "numeric(0.5)");

  private static double score(String metric, String output, String label) {
    return FieldMetrics.of(QualityMetric.parse(metric), List.of(pair(output, label)));
  }

  private static Pair pair(String output, String label) {
    try {
      return new Pair(JSON.readTree(output), JSON.readTree(label));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void exactIgnoresCaseAndOuterSpaceAndHowNumbersAreWritten() {
    assertThat(score("exact", "\" Card Lost \"", "\"card lost\"")).isOne();
    assertThat(score("exact", "\"card\"", "\"card lost\"")).isZero();
    assertThat(score("exact", "2.0", "2")).isOne();
    assertThat(score("exact", "\"2\"", "2")).isZero();
    assertThat(score("exact", "null", "null")).isOne();
    assertThat(score("exact", "{\"a\": 1, \"b\": \"X\"}", "{\"b\": \"x\", \"a\": 1.0}")).isOne();
    assertThat(score("exact", "[1, 2]", "[2, 1]")).isZero();
  }

  @Test
  void f1ComparesListsAsSetsAndTextsAsSetsOfWords() {
    assertThat(score("f1", "[\"a\", \"B\", \"b\"]", "[\"b\", \"c\"]")).isEqualTo(0.5);
    assertThat(score("f1", "\"the red car\"", "\"The red, bus!\""))
        .isCloseTo(2 / 3.0, within(1e-9));
    assertThat(score("f1", "[]", "[]")).isOne();
    assertThat(score("f1", "[\"a\"]", "[]")).isZero();
    assertThat(score("f1", "[]", "[\"a\"]")).isZero();
    assertThat(score("f1", "null", "[]")).isOne();
  }

  @Test
  void aSpanIsFoundByItsWords() {
    String label = "[\"This Agreement/Contract shall commence on May 1, 2020\"]";
    assertThat(score("span-f1", "[\"agreement contract, SHALL commence\"]", label)).isOne();
    assertThat(score("span-f1", "[\"commence\"]", label)).isZero();
    assertThat(score("span-f1", "[\"commence shall\", \"unrelated words\"]", label))
        .isCloseTo(2.0 / 3, within(1e-9));
    assertThat(score("span-f1(0.99)", "[\"commence shall\"]", label)).isZero();
    assertThat(score("span-f1", "[\"\", \"--\"]", "[]")).isOne();
  }

  @Test
  void spansOfAllFieldsAreCountedTogether() {
    List<Pair> fields =
        List.of(
            pair("[\"alpha\"]", "[\"alpha\"]"),
            pair("[]", "[\"beta\"]"),
            pair("[\"gamma\"]", "[]"),
            pair("[]", "[]"));
    assertThat(FieldMetrics.of(QualityMetric.parse("span-f1"), fields)).isEqualTo(0.5);
  }

  @Test
  void theThresholdIsInclusive() {
    // 3 common words of 20: exactly 0.15.
    String label = "[\"a b c d e f g h i j k l m n o p q r s t\"]";
    assertThat(score("span-f1(0.15)", "[\"a b c\"]", label)).isOne();
    assertThat(score("span-f1(0.15)", "[\"a b\"]", label)).isZero();
  }

  @Test
  void rankPrecisionDividesHitsAmongTheFirstKByThePossibleHits() {
    assertThat(score("rank-precision@2", "[\"A\", \"x\", \"b\"]", "[\"a\", \"b\", \"c\"]"))
        .isEqualTo(0.5);
    assertThat(score("rank-precision@5", "[\"a\", \"b\"]", "[\"A\", \"B\", \"a\"]")).isOne();
    assertThat(score("rank-precision@5", "[\"a\", \"a\", \"a\"]", "[\"a\", \"b\"]")).isEqualTo(0.5);
    assertThat(score("rank-precision@5", "[]", "[]")).isOne();
    assertThat(score("rank-precision@5", "[\"a\"]", "[]")).isZero();
  }

  @Test
  void recallIsTheShareOfTheLabelsWordsThatWereFound() {
    assertThat(score("recall", "[\"severe nausea\", \"headache\"]", "[\"nausea\", \"skin rash\"]"))
        .isCloseTo(1 / 3.0, within(1e-9));
    assertThat(score("recall", "[\"a\", \"b\"]", "[\"a\"]")).isOne();
    assertThat(score("recall", "[]", "[]")).isOne();
  }

  @Test
  void numericComparesInDecimals() {
    assertThat(score("numeric(0.1)", "0.3", "0.2")).isOne();
    assertThat(score("numeric(0.1)", "0.31", "0.2")).isZero();
    assertThat(score("numeric", "3", "3.0")).isOne();
    assertThat(score("numeric(1)", "null", "3")).isZero();
    assertThat(score("numeric(1)", "null", "null")).isOne();
  }

  private static JsonNode randomList(Random random) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (int i = random.nextInt(5); i > 0; i--) {
      StringBuilder text = new StringBuilder();
      for (int w = random.nextInt(4); w >= 0; w--) {
        text.append((char) ('a' + random.nextInt(6))).append(random.nextInt(5) == 0 ? "/" : " ");
      }
      list.add(text.toString());
    }
    return list;
  }

  private static List<Pair> randomPairs(Random random) {
    List<Pair> pairs = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      pairs.add(new Pair(randomList(random), randomList(random)));
    }
    return pairs;
  }

  @Test
  void everyScoreIsBetweenZeroAndOneAndThePerfectOutputScoresOne() {
    Random random = new Random(4);
    for (int i = 0; i < 3000; i++) {
      List<Pair> pairs = randomPairs(random);
      List<Pair> perfect = pairs.stream().map(p -> new Pair(p.label(), p.label())).toList();
      for (String metric : METRICS) {
        assertThat(FieldMetrics.of(QualityMetric.parse(metric), pairs)).isBetween(0.0, 1.0);
        assertThat(FieldMetrics.of(QualityMetric.parse(metric), perfect)).isOne();
      }
    }
  }

  @Test
  void exactF1AndNumericAreSymmetric() {
    Random random = new Random(6);
    for (int i = 0; i < 2000; i++) {
      List<Pair> pairs = randomPairs(random);
      List<Pair> swapped = pairs.stream().map(p -> new Pair(p.label(), p.output())).toList();
      for (String metric : List.of("exact", "f1", "numeric(1)")) {
        QualityMetric parsed = QualityMetric.parse(metric);
        assertThat(FieldMetrics.of(parsed, pairs)).isEqualTo(FieldMetrics.of(parsed, swapped));
      }
    }
  }
}
