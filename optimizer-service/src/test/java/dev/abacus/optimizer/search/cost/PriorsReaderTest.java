package dev.abacus.optimizer.search.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PriorsReaderTest {

  private static final Map<String, List<PhysicalOperator>> SPACE =
      Map.of("classify", List.of(new ModelSelection("a"), new ModelSelection("b")));

  @Test
  void readsWhatIsBelievedOfEveryImplementation() {
    var result =
        PriorsReader.read(
            "{\"classify\": {\"model-selection(a)\": {\"quality\": 0.8, \"cost\": 0.1, \"latency\": 2}}}",
            SPACE);

    assertThat(result.priors().find("classify", "model-selection(a)"))
        .isEqualTo(new OperatorEstimate(0.8, 0.1, 2, 1));
    assertThat(result.priors().find("classify", "model-selection(b)")).isNull();
    assertThat(result.unknown()).isEmpty();
  }

  @Test
  void oneImplementationThatThereIsNotDoesNotVoidTheRest() {
    var result =
        PriorsReader.read(
            """
            {"classify": {"gone": {"quality": 0.8, "cost": 0.1, "latency": 2},
                          "model-selection(a)": {"quality": 0.5, "cost": 0.1, "latency": 2}}}
            """,
            SPACE);

    assertThat(result.unknown()).containsExactly("classify.gone");
    assertThat(result.priors().of("classify")).containsOnlyKeys("model-selection(a)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"other": {}}                                                         | 'other' is no operator
          {"classify": 3}                                                       | 'classify' must be an object
          {"classify": {"model-selection(a)": {"cost": 1, "latency": 1}}}                        | 'classify.model-selection(a).quality' is missing
          {"classify": {"model-selection(a)": {"quality": 1.2, "cost": 1, "latency": 1}}}        | 'classify.model-selection(a).quality' is 1.2
          {"classify": {"model-selection(a)": {"quality": "NaN", "cost": 1, "latency": 1}}}      | 'classify.model-selection(a).quality' is "NaN"
          {"classify": {"model-selection(a)": {"quality": 1e999, "cost": 1, "latency": 1}}}      | 'classify.model-selection(a).quality' is
          {"classify": {"model-selection(a)": {"quality": 1, "cost": -1, "latency": 1}}}         | 'classify.model-selection(a).cost' is -1
          {"classify": {"model-selection(a)": {"quality": 1, "cost": 1, "latency": 1, "x": 1}}}  | 'classify.model-selection(a).x' is no key
          {"classify":                                                          | not JSON
          """)
  void refusesByKeyAndReason(String json, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PriorsReader.read(json, SPACE))
        .withMessageContaining(message);
  }
}
