package dev.abacus.schemas.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.ReducedContext;
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
        SampleTask.builder("t", "p")
            .operator(new SemanticFilter("good", "docs", "It is good.", List.of("text")))
            .physical(new ReducedContext("gpt-4o", "all-minilm-l6-v2", 1000, 2))
            .exampleId("e")
            .input(document)
            .label(BooleanNode.TRUE)
            .metrics(Map.of("good", new QualityMetric.SpanF1(0.15)))
            .judge("o4-mini")
            .build(),
        Observation.builder("t", "p", "good", "x", "e")
            .outcome(Observation.Outcome.KEPT)
            .outputs(List.of(document))
            .quality(0.5)
            .scoredBy(Observation.ScoredBy.JUDGE)
            .cost(0.1)
            .latency(2)
            .judgeCost(0.01)
            .build(),
        Observation.builder("t", "p", "good", "x", "e")
            .outcome(Observation.Outcome.FAILED)
            .quality(null)
            .scoredBy(Observation.ScoredBy.NOBODY)
            .cost(0.1)
            .latency(2)
            .failure("no answer")
            .build(),
        new ValidationExample("e", "docs", document, Map.of("good", BooleanNode.FALSE)),
        InstanceStatus.builder("p", "i", Instant.EPOCH, "RUNNING")
            .epoch(2L)
            .inFlight(1)
            .results(2)
            .filtered(3)
            .deadLetters(4)
            .samples(5)
            .costUsd(0.5)
            .sampleCostUsd(0.25)
            .build());
  }

  @Test
  void aKeyOfALaterVersionIsPassedOver() throws Exception {
    byte[] later =
        "{\"technique\":\"model-selection\",\"model\":\"m\",\"new\":1}"
            .getBytes(StandardCharsets.UTF_8);

    assertThat(Json.read(later, PhysicalOperator.class).id()).isEqualTo("model-selection(m)");
  }

  @Test
  void whatIsMalformedIsRefusedWithTheReason() {
    assertThatThrownBy(() ->
            Json.read(
                "{\"taskId\":\"t\",\"cost\":-1}".getBytes(StandardCharsets.UTF_8),
                Observation.class))
        .isInstanceOf(MalformedRecordException.class)
        .hasMessageContaining("not a valid observation");
  }
}
