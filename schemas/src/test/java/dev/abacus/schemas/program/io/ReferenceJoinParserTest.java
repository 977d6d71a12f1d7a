package dev.abacus.schemas.program.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.expression.WhereExpression;
import dev.abacus.schemas.program.PairCondition;
import dev.abacus.schemas.program.ReferenceJoin;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The condition in code of a join with a reference. */
class ReferenceJoinParserTest {

  private static ReferenceJoin parse(String inCode) throws InvalidTextException {
    String program =
        """
        program: p
        sources: { docs: { topic: docs } }
        references: { policies: { topic: policies, key: id } }
        operators:
          - project: [text, country, amount]
          - join: policy
            with: policies
            condition: It answers the text.
            reads: [text]
            %s
        results: { topic: out }
        """
            .formatted(inCode);
    return (ReferenceJoin)
        new ProgramParser(ModelCatalogue.builtIn()).parse(program).operators().getLast();
  }

  @Test
  void fieldsAreEqualByTheirNamesOrByPairsOfNames() throws Exception {
    assertThat(parse("on: country").pairs())
        .isEqualTo(new PairCondition(Map.of("country", "country"), null));
    assertThat(parse("on: [country, amount]").pairs().itemFields())
        .containsExactly("country", "amount");
    assertThat(parse("on: { country: land }").pairs().on()).isEqualTo(Map.of("country", "land"));
  }

  @Test
  void theJoinReadsTheFieldsOfItsConditionInCodeAndTheModelDoesNotSeeThem() throws Exception {
    ReferenceJoin join = parse("on: country\n    where: doc.amount > item.least");

    assertThat(join.reads()).containsExactly("amount", "country", "text");
    assertThat(join.seenByModel()).containsExactly("text");
  }

  @Test
  void aJoinWhoseConditionMayReadAllFieldsReadsAll() throws Exception {
    ReferenceJoin join = parse("where: doc.exists(name, name == item.id)");

    assertThat(join.pairs().where())
        .isEqualTo(WhereExpression.compileForPairs("doc.exists(name, name == item.id)"));
    assertThat(join.reads()).isEqualTo(List.of());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          on: contry               | unknown field 'contry'; did you mean 'country'?
          on: { contry: land }     | unknown field 'contry'; did you mean 'country'?
          on: { country: '' }      | is empty
          where: doc.amuont > 1    | unknown field 'amuont'; did you mean 'amount'?
          where: thing.amount > 1  | 'thing'
          where: doc.amount >      | is not a CEL expression
          """)
  void aMistakeIsReported(String inCode, String message) {
    assertThat(catchThrowableOfType(InvalidTextException.class, () -> parse(inCode)))
        .hasMessageContaining(message);
  }
}
