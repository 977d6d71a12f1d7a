package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.abacus.topology.model.Embedding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reference that is another one but for what a subclass changes. */
abstract class ForwardingReferenceView implements ReferenceView {

  final ReferenceView view;

  ForwardingReferenceView(ReferenceView view) {
    this.view = view;
  }

  @Override
  public String keyField() {
    return view.keyField();
  }

  @Override
  public int size() {
    return view.size();
  }

  @Override
  public boolean hasVectors(String embedder) {
    return view.hasVectors(embedder);
  }

  @Override
  public @Nullable String obstacle(String embedder, int dimensions) {
    return view.obstacle(embedder, dimensions);
  }

  @Override
  public List<Candidate> nearest(String embedder, Embedding query, int k) {
    return view.nearest(embedder, query, k);
  }

  @Override
  public @Nullable ReferenceItem item(String key) {
    return view.item(key);
  }

  @Override
  public List<Candidate> equal(List<String> fields, ArrayNode values) {
    return view.equal(fields, values);
  }
}
