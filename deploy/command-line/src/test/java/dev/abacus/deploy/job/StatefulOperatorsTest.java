package dev.abacus.deploy.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StatefulOperatorsTest {

  private static StatefulOperators of(String operators) throws InvalidTextException {
    return StatefulOperators.of(
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(
                """
                program: p
                sources: { docs: { topic: docs } }
                operators:
                %sresults: { topic: out }
                """
                    .formatted(operators.indent(2))));
  }

  @Test
  void aProgramOfPerDocumentOperatorsHasNone() throws Exception {
    StatefulOperators breakers = of("- filter: good\n  condition: It is good.\n");

    assertThat(breakers.count()).isZero();
    assertThat(breakers.windows()).isFalse();
  }

  @Test
  void windowsCloseAfterAllOfThemAndTheirGrace() throws Exception {
    StatefulOperators breakers =
        of(
            """
            - aggregate: hourly
              by: [kind]
              window: { tumbling: 1h, grace: 5m }
              compute: { number: count }
            - aggregate: quiet
              window: { session: 30m }
              compute: { number: sum(number) }
            """);

    assertThat(breakers.count()).isEqualTo(2);
    assertThat(breakers.windows()).isTrue();
    assertThat(breakers.span()).isEqualTo(Duration.ofMinutes(95).plusSeconds(1));
  }

  @Test
  void aLimitWaitsForNoWindow() throws Exception {
    StatefulOperators breakers = of("- limit: 10\n  window: 1h\n");

    assertThat(breakers.count()).isEqualTo(1);
    assertThat(breakers.windows()).isFalse();
  }
}
