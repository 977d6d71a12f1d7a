package dev.abacus.schemas.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.program.SemanticMap.Cardinality;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AnswerClassesTest {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private static SemanticMap map(Field... fields) {
    return new SemanticMap("m", "in", "Classify.", List.of("text"), List.of(fields));
  }

  private static Field field(FieldType type) {
    return new Field("f", type, "", false);
  }

  private static FieldType.StringType text(int values) {
    return new FieldType.StringType(IntStream.range(0, values).mapToObj(i -> "v" + i).toList());
  }

  private static @Nullable List<String> classes(LogicalOperator operator) {
    AnswerClasses classes = AnswerClasses.of(operator);
    return classes == null ? null : classes.values().stream().map(JsonNode::toString).toList();
  }

  @Test
  void aFilterHasTwoAnswers() {
    assertThat(classes(new SemanticFilter("f", "in", "It is good.", List.of())))
        .containsExactly("true", "false");
  }

  @Test
  void aMapOfOneClosedFieldHasItsValues() {
    assertThat(classes(map(field(text(2))))).containsExactly("\"v0\"", "\"v1\"");
    assertThat(classes(map(field(new FieldType.BooleanType())))).containsExactly("true", "false");
    assertThat(classes(map(field(new FieldType.IntegerType(-1L, 1L)))))
        .containsExactly("-1", "0", "1");
    assertThat(classes(map(new Field("f", text(2), "", true))))
        .containsExactly("\"v0\"", "\"v1\"", "null");
  }

  @Test
  void openAndLargeAndSeveralFieldsHaveNone() {
    assertThat(classes(map(field(text(0))))).isNull();
    assertThat(classes(map(field(text(1))))).isNull();
    assertThat(classes(map(field(text(100))))).hasSize(100);
    assertThat(classes(map(field(text(101))))).isNull();
    assertThat(classes(map(field(new FieldType.IntegerType(0L, null))))).isNull();
    assertThat(classes(map(field(new FieldType.IntegerType(0L, 100L))))).isNull();
    assertThat(classes(map(field(new FieldType.IntegerType(Long.MIN_VALUE, Long.MAX_VALUE)))))
        .isNull();
    assertThat(classes(map(field(new FieldType.NumberType(0.0, 1.0))))).isNull();
    assertThat(classes(map(field(new FieldType.ListType(text(2)))))).isNull();
    assertThat(classes(map(field(text(2)), new Field("g", text(2), "", false)))).isNull();
    assertThat(
            classes(
                new SemanticMap(
                    "m", "in", "Split.", List.of(), List.of(field(text(2))), Cardinality.MANY)))
        .isNull();
    assertThat(classes(new Project("p", "in", List.of("f")))).isNull();
  }

  @Test
  void aLabelIsReadAsPeopleWriteIt() {
    AnswerClasses texts = Objects.requireNonNull(AnswerClasses.of(map(field(text(2)))));
    assertThat(texts.find(JSON.textNode(" V1 "))).isEqualTo(JSON.textNode("v1"));
    assertThat(texts.find(JSON.textNode("v2"))).isNull();
    assertThat(texts.find(JSON.nullNode())).isNull();
    AnswerClasses numbers =
        Objects.requireNonNull(AnswerClasses.of(map(field(new FieldType.IntegerType(1L, 20L)))));
    assertThat(numbers.find(JSON.numberNode(1.0))).isEqualTo(JSON.numberNode(1));
    assertThat(numbers.find(JSON.numberNode(10))).isEqualTo(JSON.numberNode(10));
    assertThat(numbers.find(JSON.textNode("1"))).isNull();
  }
}
