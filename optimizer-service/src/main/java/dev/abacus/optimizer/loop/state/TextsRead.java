package dev.abacus.optimizer.loop.state;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.optimizer.estimate.OperatorContext;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.List;

/**
 * What an operator reads of a document.
 *
 * @param number of texts that are not empty
 * @param bytes of these texts in UTF-8
 */
record TextsRead(int number, long bytes) {

  private static final TextsRead UNKNOWN = new TextsRead(Integer.MAX_VALUE, Long.MAX_VALUE);

  /**
   * The most of all examples. Unknown, and so more than any technique shows whole, without examples
   * and if other operators write what this one reads.
   */
  static TextsRead longest(ProgramDefinition definition, OperatorContext context) {
    return context.examples().stream()
        .map(example ->
            definition.readsSource(context.operator(), example.source())
                ? of(context.operator(), example)
                : UNKNOWN)
        .reduce((one, other) ->
            new TextsRead(Math.max(one.number, other.number), Math.max(one.bytes, other.bytes)))
        .orElse(UNKNOWN);
  }

  private static TextsRead of(LogicalOperator operator, ValidationExample example) {
    Document document = example.document();
    Document read = operator.reads().isEmpty() ? document : document.only(operator.reads());
    List<String> texts =
        read.fieldNames().stream()
            .map(read::get)
            .filter(JsonNode::isTextual)
            .map(JsonNode::textValue)
            .filter(text -> !text.isEmpty())
            .toList();
    return new TextsRead(
        texts.size(), texts.stream().mapToLong(text -> text.getBytes(UTF_8).length).sum());
  }
}
