package dev.abacus.schemas.expression;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.cel.bundle.Cel;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A condition on the fields of a document in the <a href="https://cel.dev">Common Expression
 * Language</a>, such as {@code doc.amount > 100 && doc.country in ["DE", "FR"]}. The variable
 * {@code doc} has the fields of the document. The language has no loops, no side effects and no
 * access to the process; regular expressions take linear time.
 *
 * <p>Immutable; equal if the texts are equal.
 */
public final class WhereExpression {

  private static final String DOCUMENT = "doc";

  /** Maximum length of an expression in characters. */
  private static final int LONGEST = 10_000;

  /** Maximum number of list items that the macros of an expression visit for one document. */
  private static final int MOST_ITEMS = 100_000;

  private static final Cel CEL =
      CelFactory.standardCelBuilder()
          .setOptions(
              CelOptions.current()
                  .enableHeterogeneousNumericComparisons(true)
                  .maxExpressionCodePointSize(LONGEST)
                  .maxParseRecursionDepth(100)
                  .comprehensionMaxIterations(MOST_ITEMS)
                  .build())
          .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
          .addVar(DOCUMENT, MapType.create(SimpleType.STRING, SimpleType.DYN))
          .setResultType(SimpleType.DYN)
          .build();

  private final String text;
  private final List<String> fields;
  private final CelRuntime.Program program;

  private WhereExpression(String text, List<String> fields, CelRuntime.Program program) {
    this.text = text;
    this.fields = fields;
    this.program = program;
  }

  /** The value of an expression for a document. */
  public sealed interface Value {

    /** The expression is true or false. */
    record Decided(boolean holds) implements Value {}

    /** The expression has no value, because a field is missing or has another type. */
    record Undecided(String reason) implements Value {}
  }

  /**
   * Compiles an expression.
   *
   * @throws IllegalArgumentException with column and reason if the text is not an expression that
   *     may be true or false
   */
  public static WhereExpression compile(String text) {
    CelValidationResult checked = CEL.compile(text);
    try {
      CelAbstractSyntaxTree tree = checked.getAst();
      CelType type = tree.getResultType();
      if (!type.equals(SimpleType.BOOL) && !type.equals(SimpleType.DYN)) {
        throw new IllegalArgumentException(
            "'%s' is of type %s, but a condition is true or false".formatted(text, type.name()));
      }
      return new WhereExpression(text, Fields.of(tree), CEL.createProgram(tree));
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

  /** The fields of the document that it reads, by name; empty if it may read all of them. */
  public List<String> fields() {
    return fields;
  }

  /** Evaluates the expression. */
  public Value evaluate(Document document) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (String field : fields.isEmpty() ? document.fieldNames() : fields) {
      if (document.has(field)) {
        values.put(field, value(document.get(field)));
      }
    }
    try {
      return program.eval(Map.of(DOCUMENT, values)) instanceof Boolean holds
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
      List<Object> items = new ArrayList<>();
      node.forEach(item -> items.add(value(item)));
      return items;
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

  /** Collects the fields of the document in an expression. */
  private static final class Fields extends CelExprVisitor {

    private final Set<String> named = new TreeSet<>();
    private boolean all;

    static List<String> of(CelAbstractSyntaxTree tree) {
      Fields fields = new Fields();
      fields.visit(tree.getExpr());
      return fields.all ? List.of() : List.copyOf(fields.named);
    }

    private static boolean isDocument(CelExpr expression) {
      return expression.getKind() == CelExpr.ExprKind.Kind.IDENT
          && expression.ident().name().equals(DOCUMENT);
    }

    @Override
    protected void visit(CelExpr expression, CelExpr.CelIdent identifier) {
      all |= identifier.name().equals(DOCUMENT);
    }

    @Override
    protected void visit(CelExpr expression, CelExpr.CelSelect select) {
      if (isDocument(select.operand())) {
        named.add(select.field());
      } else {
        super.visit(expression, select);
      }
    }

    @Override
    protected void visit(CelExpr expression, CelExpr.CelCall call) {
      String index = call.function().equals("_[_]") ? constant(call.args().get(1)) : null;
      if (index != null && isDocument(call.args().getFirst())) {
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
