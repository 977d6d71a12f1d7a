package dev.abacus.topology.breaker;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Computation;
import dev.abacus.schemas.program.Computation.Function;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one document that an aggregate makes of a group: the fields grouped by, those computed, and
 * for a model the {@code members}.
 */
final class GroupDocument {

  private static final String MEMBERS = "members";

  private final Aggregate aggregate;
  private final List<String> lists;

  GroupDocument(Aggregate aggregate) {
    this.aggregate = aggregate;
    this.lists =
        aggregate.compute().values().stream()
            .filter(computation -> computation.function() == Function.LIST)
            .map(computation -> Objects.requireNonNull(computation.field()))
            .distinct()
            .toList();
  }

  /** Whether the members are to be kept until the end. */
  boolean needsMembers() {
    return aggregate.isSemantic() || !lists.isEmpty();
  }

  /** What is to be kept of a member. */
  Document member(Document document) {
    if (aggregate.isSemantic() && aggregate.reads().isEmpty()) {
      return document;
    }
    Set<String> fields = new LinkedHashSet<>();
    if (aggregate.isSemantic()) {
      fields.addAll(aggregate.reads());
    }
    fields.addAll(lists);
    return document.only(fields);
  }

  /**
   * The document of a group.
   *
   * @param panes where its members are; null leaves members and lists out
   */
  Document of(Pane pane, @Nullable Panes panes) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    int at = 0;
    for (String field : aggregate.by()) {
      json.set(field, pane.group().get(at++));
    }
    List<Document> members = new ArrayList<>();
    if (panes != null && needsMembers()) {
      panes.members(pane, member -> members.add(parsed(member)));
    }
    at = 0;
    for (Map.Entry<String, Computation> entry : aggregate.compute().entrySet()) {
      Computation computation = entry.getValue();
      if (computation.function() != Function.LIST) {
        json.set(entry.getKey(), pane.accumulators().get(at).result(computation));
      } else if (panes != null) {
        json.set(entry.getKey(), list(members, Objects.requireNonNull(computation.field())));
      }
      at++;
    }
    if (panes != null && aggregate.isSemantic()) {
      ArrayNode shown = json.putArray(MEMBERS);
      members.forEach(member -> shown.add(seen(member).toJson()));
    }
    return Document.of(json);
  }

  private Document seen(Document member) {
    return aggregate.reads().isEmpty() ? member : member.only(aggregate.reads());
  }

  private static ArrayNode list(List<Document> members, String field) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    members.stream()
        .map(member -> member.get(field))
        .filter(value -> !value.isMissingNode() && !value.isNull())
        .forEach(list::add);
    return list;
  }

  private static Document parsed(byte[] member) {
    try {
      return Document.parse(member);
    } catch (InvalidDocumentException e) {
      throw new IllegalStateException("damaged member in the store", e);
    }
  }
}
