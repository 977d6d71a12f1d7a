package dev.abacus.schemas.program.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.SortField;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitParserTest {

  private static Limit parse(String limit) throws InvalidTextException {
    String program =
        """
        program: p
        sources: { docs: { topic: docs } }
        operators:
          - project: [amount, day]
          - { %s }
        results: { topic: out }
        """
            .formatted(limit);
    return (Limit) new ProgramParser(ModelCatalogue.builtIn()).parse(program).operators().getLast();
  }

  @Test
  void anOrderNamesFieldsTheMostImportantFirst() throws Exception {
    assertThat(parse("limit: 3, window: 1h, order: [amount desc, day], grace: 1m"))
        .isEqualTo(
            new Limit(
                "limit",
                "project",
                3,
                Duration.ofHours(1),
                List.of(new SortField("amount", true), new SortField("day", false)),
                Duration.ofMinutes(1),
                null));
    assertThat(parse("limit: 3, window: 1h, order: day asc").order())
        .containsExactly(new SortField("day", false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          limit: 3, order: amount                     | 'order' of limit 'limit' needs a 'window'
          limit: 3, window: 1h, grace: 1m             | 'grace' of limit 'limit' takes 'order' as well
          limit: 3, window: 1h, order: [amuont desc]  | unknown field 'amuont'; did you mean 'amount'?
          limit: 3, window: 1h, order: ['']           | 'order' names an empty field
          limit: 3, window: 1h, order: [{ a: desc }]  | expected text, found keys and values
          """)
  void aMistakeIsReported(String limit, String message) {
    assertThat(catchThrowableOfType(InvalidTextException.class, () -> parse(limit)))
        .hasMessageContaining(message);
  }
}
