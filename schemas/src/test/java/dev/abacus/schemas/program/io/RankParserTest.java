package dev.abacus.schemas.program.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SemanticRank;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RankParserTest {

  private static final String PROGRAM =
      """
      program: p
      sources: { docs: { topic: docs } }
      references: { terms: { topic: terms, key: label } }
      operators:
        - map: extract
          instruction: List the names.
          writes: { names: { type: list }, title: string }
        - topk: candidates
          from: terms
          query: [names]
          k: 20
          writes: terms
        - rank: best
          items: terms
          criterion: The text mentions the term.
          reads: [text]
          k: 5
      results: { topic: out }
      """;

  private static Program parse(String text) throws InvalidTextException {
    return new ProgramParser(ModelCatalogue.builtIn()).parse(text);
  }

  @Test
  void aRankReplacesItsListAndNamesItemsByTheKeyOfTheReference() throws Exception {
    assertThat(parse(PROGRAM).operator("best"))
        .isEqualTo(
            new SemanticRank(
                "best",
                "candidates",
                "terms",
                "The text mentions the term.",
                List.of("text"),
                5,
                "label",
                "terms"));
  }

  @Test
  void aRankOfARankedListHasItsKey() throws Exception {
    String twice =
        PROGRAM.replace(
            "results:",
            """
              - rank: again
                items: terms
                criterion: It is serious.
                writes: serious
            results:\
            """);
    assertThat(parse(twice).operator("again"))
        .isEqualTo(
            new SemanticRank(
                "again", "best", "terms", "It is serious.", List.of(), null, "label", "serious"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          items: terms                           | itms: terms                 | 'items' is missing
          criterion: The text mentions the term. | by: mentions                | 'criterion' is missing
          criterion: The text mentions the term. | criterion: ""               | is empty
          items: terms                           | items: title                | 'title' of 'extract' is not a list
          k: 5                                   | k: 0                        | k of rank 'best' must be at least 1
          k: 5                                   | k: auto                     | expected a number, found 'auto'
          - rank: best                           | - ranks: best               | unknown operator 'ranks'; did you mean 'rank'?
          """)
  void aMistakeIsReported(String right, String wrong, String problem) {
    InvalidTextException mistake =
        catchThrowableOfType(
            InvalidTextException.class, () -> parse(PROGRAM.replace(right, wrong)));
    assertThat(mistake.problems().toString()).contains(problem);
  }

  @Test
  void aListThatAProjectDroppedIsReported() {
    String dropped = PROGRAM.replace("  - rank: best", "  - project: [id, text]\n  - rank: best");
    InvalidTextException mistake =
        catchThrowableOfType(InvalidTextException.class, () -> parse(dropped));
    assertThat(mistake.problems().toString()).contains("unknown field 'terms'");
  }
}
