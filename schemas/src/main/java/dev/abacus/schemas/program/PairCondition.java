package dev.abacus.schemas.program;

import dev.abacus.schemas.expression.WhereExpression;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What must hold in code for a document and an item before a model is asked about them.
 *
 * @param on fields of the document and the fields of the item that have equal values; a missing
 *     value and null equal nothing
 * @param where a condition on the document and the item; null if there is none
 */
public record PairCondition(Map<String, String> on, @Nullable WhereExpression where) {

  /** Holds for every pair. */
  public static final PairCondition NONE = new PairCondition(Map.of(), null);

  public PairCondition {
    on = Collections.unmodifiableMap(new LinkedHashMap<>(on));
    if (on.containsKey("") || on.containsValue("")) {
      throw new IllegalArgumentException("'on' names an empty field");
    }
  }

  public boolean isNone() {
    return on.isEmpty() && where == null;
  }

  /** The fields of the document in {@link #on}. */
  public List<String> documentFields() {
    return List.copyOf(on.keySet());
  }

  /** The fields of the item in {@link #on}, in the same order. */
  public List<String> itemFields() {
    return new ArrayList<>(on.values());
  }

  /** The fields of the document that it reads; null if it may read all. */
  @Nullable Set<String> reads() {
    Set<String> read = new TreeSet<>(on.keySet());
    if (where != null) {
      List<String> fields = where.fields();
      if (fields == null) {
        return null;
      }
      read.addAll(fields);
    }
    return read;
  }
}
