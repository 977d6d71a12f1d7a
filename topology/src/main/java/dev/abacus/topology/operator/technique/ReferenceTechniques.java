package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.operator.join.EmbeddingJoinExecutor;
import dev.abacus.topology.operator.join.NestedLoopsJoinExecutor;
import dev.abacus.topology.operator.join.References;
import dev.abacus.topology.operator.join.SampledReferences;
import dev.abacus.topology.operator.join.TopKExecutor;
import org.jspecify.annotations.Nullable;

/** The techniques that look into a program's references. */
record ReferenceTechniques(
    Embedders embedders,
    References references,
    TopKExecutor topK,
    NestedLoopsJoinExecutor nestedLoopsJoin,
    EmbeddingJoinExecutor embeddingJoin) {

  static ReferenceTechniques of(Embedders embedders, References references) {
    return new ReferenceTechniques(
        embedders,
        references,
        new TopKExecutor(embedders, references),
        new NestedLoopsJoinExecutor(references),
        new EmbeddingJoinExecutor(embedders, references));
  }

  /** The same over other references. */
  ReferenceTechniques over(References others) {
    return of(embedders, others);
  }

  /** The same for a sample: a join looks at a few items instead of all. */
  ReferenceTechniques sampling(@Nullable JsonNode label, String example) {
    return over(new SampledReferences(references, label, example));
  }
}
