package dev.abacus.schemas.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator.ReducedContext;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.SemanticFilter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JsonTest {

  @ParameterizedTest
  @MethodSource("values")
  void aValueIsReadAsItWasWritten(Object value) throws Exception {
    assertThat(Json.read(Json.write(value), value.getClass())).isEqualTo(value);
  }

  static List<Object> values() throws Exception {
    Document document = Document.parse("{\"id\":\"d\",\"price\":0.10}");
    return List.of(
        new SampleTask(
            "t",
            "p",
            new SemanticFilter("good", "docs", "It is good.", List.of("text")),
            new ReducedContext("gpt-4o", "all-minilm-l6-v2", 1000, 2),
            "e",
            document,
            BooleanNode.TRUE,
            Map.of("good", new QualityMetric.SpanF1(0.15)),
            "o4-mini"),
        new Observation(
            "t",
            "p",
            "good",
            "x",
            "e",
            Observation.Outcome.KEPT,
            List.of(document),
            0.5,
            Observation.ScoredBy.JUDGE,
            0.1,
            2,
            0.01,
            null),
        new Observation(
            "t",
            "p",
            "good",
            "x",
            "e",
            Observation.Outcome.FAILED,
            List.of(),
            null,
            Observation.ScoredBy.NOBODY,
            0.1,
            2,
            0,
            "no answer"),
        new ValidationExample("e", "docs", document, Map.of("good", BooleanNode.FALSE)),
        new InstanceStatus("p", "i", Instant.EPOCH, "RUNNING", 2L, 0, 1, 2, 3, 4, 5, 0.5, 0.25));
  }

  @Test
  void aKeyOfALaterVersionIsPassedOver() throws Exception {
    byte[] later =
        "{\"technique\":\"model-selection\",\"model\":\"m\",\"new\":1}"
            .getBytes(StandardCharsets.UTF_8);

    assertThat(Json.read(later, dev.abacus.schemas.plan.PhysicalOperator.class).id())
        .isEqualTo("model-selection(m)");
  }

  @Test
  void whatIsMalformedIsRefusedWithTheReason() {
    assertThatThrownBy(() ->
            Json.read(
                "{\"taskId\":\"t\",\"cost\":-1}".getBytes(StandardCharsets.UTF_8),
                Observation.class))
        .isInstanceOf(MalformedRecordException.class)
        .hasMessageContaining("no Observation");
  }
}
