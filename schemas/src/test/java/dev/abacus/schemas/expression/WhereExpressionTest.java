package dev.abacus.schemas.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.expression.WhereExpression.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WhereExpressionTest {

  private static final String ORDER =
      """
      {"amount": 120, "price": 99.5, "huge": 100000000000000000000, "country": "DE", "paid": true,
       "note": null, "pattern": "(", "tags": ["new", "vip"], "customer": {"age": 41}, "due-date": "2026-11-22"}
      """;

  private static Value value(String expression) throws Exception {
    return WhereExpression.compile(expression).evaluate(Document.parse(ORDER));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "doc.amount > 100",
        "doc.amount > 100.5 && doc.price < 100",
        "doc.amount == 120.0",
        "doc.huge > 1",
        "doc.country in ['DE', 'FR']",
        "doc.country.startsWith('D') && size(doc.tags) == 2",
        "'vip' in doc.tags",
        "doc.tags.exists(tag, tag == 'new')",
        "doc.paid",
        "doc.note == null",
        "doc.customer.age >= 18",
        "doc['due-date'] < '2027'",
        "!has(doc.missing) || doc.missing == 1",
        "doc['due-date'].matches('^[0-9]{4}-')",
        "timestamp(doc['due-date'] + 'T00:00:00Z').getFullYear() == 2026",
      })
  void decidesOnTheFieldsOfADocument(String expression) throws Exception {
    assertThat(value(expression)).isEqualTo(new Value.Decided(true));
    assertThat(value("!(" + expression + ")")).isEqualTo(new Value.Decided(false));
  }

  @Test
  void aMissingFieldOrAnotherTypeHasNoValue() throws Exception {
    assertThat(value("doc.missing > 1")).isInstanceOf(Value.Undecided.class);
    assertThat(value("doc.country > 1").toString()).contains("doc.country > 1");
    assertThat(value("doc.amount")).isInstanceOf(Value.Undecided.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "doc.amount / 0 == 1",
        "doc.amount % 0 == 1",
        "doc.amount + 9223372036854775807 > 0",
        "-doc.country == 1",
        "int(doc.country) == 1",
        "int(doc.huge) == 1",
        "uint(-1 * doc.amount) == 1u",
        "double(doc.tags) == 1.0",
        "doc.country.matches(doc.pattern)",
        "doc.country.matches('(')",
        "timestamp(doc.country) < timestamp('2026-01-01T00:00:00Z')",
        "timestamp('9999-12-31T23:59:59Z') + duration('10000h') > timestamp('2026-01-01T00:00:00Z')",
        "timestamp('2026-01-01T00:00:00Z').getHours(doc.country) == 1",
        "duration(doc.country) > duration('1s')",
        "size(doc.note) == 1",
        "size(doc.amount) == 1",
        "doc.tags[5] == 'x'",
        "doc.tags['a'] == 'x'",
        "doc.tags[doc.note] == 'x'",
        "doc.customer[doc.note] == 1",
        "doc.customer[doc.tags] == 1",
        "doc.customer.age.year == 1",
        "doc.amount in doc.amount",
        "doc.note < doc.note",
        "doc.tags < doc.tags",
        "doc.customer + doc.customer == doc.customer",
        "string(doc.customer) == ''",
        "bytes(doc.amount) == b''",
        "bool(doc.country)",
        "dyn(doc.amount) ? true : false",
        "doc.tags.all(tag, tag + 1 == tag)",
        "doc.country.contains(doc.amount)",
        "doc.amount.startsWith('x')",
      })
  void anOddOperandLeavesADocumentUndecided(String expression) throws Exception {
    assertThat(value(expression + " && true")).isInstanceOf(Value.Undecided.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "doc.amount >",
        "amount > 100",
        "'text'",
        "doc.amount + 1 > ",
        "java.lang.System.exit(1)",
        "doc.getClass() == 1",
        ""
      })
  void otherTextsAreRefused(String text) {
    assertThatThrownBy(() -> WhereExpression.compile(text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aMistakeIsReportedWithItsColumn() {
    assertThatThrownBy(() -> WhereExpression.compile("doc.a > 1 && b"))
        .hasMessageContaining("column 14")
        .hasMessageContaining("'b'");
  }

  @Test
  void namesTheFieldsThatItReads() {
    assertThat(WhereExpression.compile("doc.b > 1 && has(doc.a) && doc['c-d'] == doc.b").fields())
        .containsExactly("a", "b", "c-d");
    assertThat(WhereExpression.compile("doc.exists(name, doc[name] == 1)").fields()).isNull();
    assertThat(WhereExpression.compileForPairs("doc.a < item.b && item['c'] == 1").fields())
        .containsExactly("a");
    assertThat(WhereExpression.compileForPairs("item.b == 1").fields()).isEmpty();
  }

  @Test
  void aConditionOnAPairReadsTheDocumentAndTheItem() throws Exception {
    WhereExpression where = WhereExpression.compileForPairs("doc.amount >= item.least");
    Document order = Document.parse(ORDER);

    assertThat(where.evaluate(order, Document.parse("{\"least\": 120}")))
        .isEqualTo(new Value.Decided(true));
    assertThat(where.evaluate(order, Document.parse("{\"least\": 121}")))
        .isEqualTo(new Value.Decided(false));
    assertThat(where.evaluate(order, Document.parse("{}"))).isInstanceOf(Value.Undecided.class);
    assertThatThrownBy(() -> WhereExpression.compile("doc.amount >= item.least"))
        .hasMessageContaining("'item'");
  }

  @Test
  void nestedMacrosAreLimited() throws Exception {
    String hundred = "[" + "1,".repeat(999) + "1]";
    Document document = Document.parse("{\"list\": " + hundred + "}");

    assertThat(
            WhereExpression.compile("doc.list.all(a, doc.list.all(b, a == b))").evaluate(document))
        .isInstanceOf(Value.Undecided.class);
  }
}
