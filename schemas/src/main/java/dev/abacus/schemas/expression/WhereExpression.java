package dev.abacus.schemas.expression;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.cel.bundle.Cel;
import dev.cel.bundle.CelBuilder;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExprVisitor;
import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.NullValue;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A condition on the fields of a document in the <a href="https://cel.dev">Common Expression
 * Language</a>, such as {@code doc.amount > 100 && doc.country in ["DE", "FR"]}. The variable
 * {@code doc} has the fields of the document; in a condition on a pair, {@code item} has those of
 * the item. The language has no loops, no side effects and no access to the process; regular
 * expressions take linear time.
 *
 * <p>Immutable; equal if the texts are equal.
 */
public final class WhereExpression {

  private static final String DOCUMENT = "doc";
  private static final String ITEM = "item";

  /** Maximum length of an expression in characters. */
  private static final int LONGEST = 10_000;

  /** Maximum number of list items that the macros of an expression visit for one document. */
  private static final int MOST_ITEMS = 100_000;

  private static final Cel OF_DOCUMENT = cel(DOCUMENT);
  private static final Cel OF_PAIR = cel(DOCUMENT, ITEM);

  private final String text;
  private final Fields document;
  private final Fields item;
  private final CelRuntime.Program program;

  private WhereExpression(String text, Fields document, Fields item, CelRuntime.Program program) {
    this.text = text;
    this.document = document;
    this.item = item;
    this.program = program;
  }

  private static Cel cel(String... variables) {
    CelBuilder builder =
        CelFactory.standardCelBuilder()
            .setOptions(
                CelOptions.current()
                    .enableHeterogeneousNumericComparisons(true)
                    .maxExpressionCodePointSize(LONGEST)
                    .maxParseRecursionDepth(100)
                    .comprehensionMaxIterations(MOST_ITEMS)
                    .build())
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .setResultType(SimpleType.DYN);
    for (String variable : variables) {
      builder.addVar(variable, MapType.create(SimpleType.STRING, SimpleType.DYN));
    }
    return builder.build();
  }

  /** The value of an expression for a document. */
  public sealed interface Value {

    /** The expression is true or false. */
    record Decided(boolean holds) implements Value {}

    /** The expression has no value, because a field is missing or has another type. */
    record Undecided(String reason) implements Value {}
  }

  /**
   * Compiles an expression on a document.
   *
   * @throws IllegalArgumentException with column and reason if the text is not an expression that
   *     may be true or false
   */
  public static WhereExpression compile(String text) {
    return compile(text, OF_DOCUMENT);
  }

  /**
   * Compiles an expression on a document and an item.
   *
   * @throws IllegalArgumentException as {@link #compile(String)}
   */
  public static WhereExpression compileForPairs(String text) {
    return compile(text, OF_PAIR);
  }

  private static WhereExpression compile(String text, Cel cel) {
    CelValidationResult checked = cel.compile(text);
    try {
      CelAbstractSyntaxTree tree = checked.getAst();
      CelType type = tree.getResultType();
      if (!type.equals(SimpleType.BOOL) && !type.equals(SimpleType.DYN)) {
        throw new IllegalArgumentException(
            "'%s' is of type %s, but a condition is true or false".formatted(text, type.name()));
      }
      return new WhereExpression(
          text, Fields.of(tree, DOCUMENT), Fields.of(tree, ITEM), cel.createProgram(tree));
    } catch (CelValidationException | CelEvaluationException e) {
      throw new IllegalArgumentException(
          "'%s' is not a CEL expression%s".formatted(text, reason(checked, e)), e);
    }
  }

  private static String reason(CelValidationResult checked, Exception e) {
    for (CelIssue issue : checked.getErrors()) {
      return " (column %d): %s"
          .formatted(issue.getSourceLocation().getColumn() + 1, issue.getMessage());
    }
    return ": " + e.getMessage();
  }

  /** The expression as the program states it. */
  @JsonValue
  public String text() {
    return text;
  }

  /** The fields of the document that it reads, by name; null if it may read all of them. */
  public @Nullable List<String> fields() {
    return document.all ? null : List.copyOf(document.named);
  }

  /** Evaluates an expression on a document. */
  public Value evaluate(Document document) {
    return evaluate(Map.of(DOCUMENT, this.document.values(document)));
  }

  /** Evaluates an expression on a document and an item. */
  public Value evaluate(Document document, Document item) {
    return evaluate(Map.of(DOCUMENT, this.document.values(document), ITEM, this.item.values(item)));
  }

  private Value evaluate(Map<String, Object> variables) {
    try {
      return program.eval(variables) instanceof Boolean holds
          ? new Value.Decided(holds)
          : new Value.Undecided("'%s' is neither true nor false".formatted(text));
    } catch (CelEvaluationException e) {
      return new Value.Undecided("'%s' has no value: %s".formatted(text, e.getMessage()));
    }
  }

  /** The value in CEL: whole numbers are int, others double, also if they are too large for int. */
  private static Object value(JsonNode node) {
    if (node.isObject()) {
      Map<String, Object> members = new LinkedHashMap<>();
      node.properties().forEach(member -> members.put(member.getKey(), value(member.getValue())));
      return members;
    }
    if (node.isArray()) {
      return node.valueStream().map(item -> value(item)).toList();
    }
    if (node.isBoolean()) {
      return node.booleanValue();
    }
    if (node.isNumber()) {
      return node.isIntegralNumber() && node.canConvertToLong()
          ? (Object) node.longValue()
          : (Object) node.doubleValue();
    }
    return node.isNull() ? NullValue.NULL_VALUE : node.asText();
  }

  /** Collects the fields of a variable in an expression. */
  private static final class Fields extends CelExprVisitor {

    private final String variable;
    private final Set<String> named = new TreeSet<>();
    private boolean all;

    private Fields(String variable) {
      this.variable = variable;
    }

    static Fields of(CelAbstractSyntaxTree tree, String variable) {
      Fields fields = new Fields(variable);
      fields.visit(tree.getExpr());
      return fields;
    }

    /** The values of these fields. */
    Map<String, Object> values(Document document) {
      Map<String, Object> values = new LinkedHashMap<>();
      for (String field : all ? document.fieldNames() : named) {
        if (document.has(field)) {
          values.put(field, value(document.get(field)));
        }
      }
      return values;
    }

    private boolean isVariable(CelExpr expression) {
      return expression.getKind() == CelExpr.ExprKind.Kind.IDENT
          && expression.ident().name().equals(variable);
    }

    @Override
    protected void visit(CelExpr expression, CelExpr.CelIdent identifier) {
      all |= identifier.name().equals(variable);
    }

    @Override
    protected void visit(CelExpr expression, CelExpr.CelSelect select) {
      if (isVariable(select.operand())) {
        named.add(select.field());
      } else {
        super.visit(expression, select);
      }
    }

    @Override
    protected void visit(CelExpr expression, CelExpr.CelCall call) {
      String index = call.function().equals("_[_]") ? constant(call.args().get(1)) : null;
      if (index != null && isVariable(call.args().getFirst())) {
        named.add(index);
      } else {
        super.visit(expression, call);
      }
    }

    private static @Nullable String constant(CelExpr expression) {
      return expression.getKind() == CelExpr.ExprKind.Kind.CONSTANT
              && expression.constant().getKind() == CelConstant.Kind.STRING_VALUE
          ? expression.constant().stringValue()
          : null;
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof WhereExpression expression && text.equals(expression.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
