package dev.abacus.schemas.program.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.schemas.program.Program;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResolutionParserTest {

  private static final String PROGRAM =
      """
      program: p
      sources: { invoices: { topic: invoices } }
      references: { vendors: { topic: vendors } }
      operators:
        - resolve: vendor
          with: vendors
          reads: [seller]
      results: { topic: out }
      """;

  private static Program parse(String text) throws InvalidTextException {
    return new ProgramParser(ModelCatalogue.builtIn()).parse(text);
  }

  @Test
  void theConditionIsThatBothAreTheSameAndTheFieldHasTheNameOfTheReference() throws Exception {
    EntityResolution vendor =
        new EntityResolution(
            "vendor", "invoices", "vendors", EntityResolution.SAME, List.of("seller"), "vendors");
    assertThat(parse(PROGRAM).operator("vendor")).isEqualTo(vendor);
    assertThat(vendor.isOneToOne()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          with: vendors    | with: vendor                    | unknown reference 'vendor'; did you mean 'vendors'?
          with: vendors    | with: invoices                  | 'invoices' is a source
          reads: [seller]  | condition: ``                   | is empty
          reads: [seller]  | kind: left                      | unknown key 'kind'
          """)
  void aMistakeIsReported(String right, String wrong, String problem) {
    InvalidTextException mistake =
        catchThrowableOfType(
            InvalidTextException.class,
            () -> parse(PROGRAM.replace(right, wrong.replace("``", "\"\""))));
    assertThat(mistake.problems().toString()).contains(problem);
  }
}
