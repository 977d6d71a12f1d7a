package dev.abacus.schemas.program.aggregate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NumericNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Computation;
import dev.abacus.schemas.program.Computation.Function;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Builds the document of a group: the grouping fields, the computed fields, and for a model the
 * {@link Aggregate#MEMBERS}.
 */
public final class GroupDocument {

  private final Aggregate aggregate;
  private final List<String> collected;

  public GroupDocument(Aggregate aggregate) {
    this.aggregate = aggregate;
    this.collected =
        aggregate.compute().values().stream()
            .filter(computation -> computation.function().needsMembers())
            .map(computation -> Objects.requireNonNull(computation.field()))
            .distinct()
            .toList();
  }

  /** Whether the members must be kept until the window closes. */
  public boolean needsMembers() {
    return aggregate.isSemantic() || !collected.isEmpty();
  }

  /** The fields of a member that must be kept. */
  public Document member(Document document) {
    if (aggregate.isSemantic() && aggregate.reads().isEmpty()) {
      return document;
    }
    Set<String> fields = new LinkedHashSet<>();
    if (aggregate.isSemantic()) {
      fields.addAll(aggregate.reads());
    }
    fields.addAll(collected);
    return document.only(fields);
  }

  /** The document of a group, from all of its documents. */
  public Document of(List<Document> documents) {
    List<Accumulator> sums = new ArrayList<>();
    for (Computation computation : aggregate.compute().values()) {
      Accumulator sum = Accumulator.EMPTY;
      for (Document document : documents) {
        sum = sum.plus(computation, document);
      }
      sums.add(sum);
    }
    ArrayNode group = GroupKey.of(documents.getFirst(), aggregate.by());
    return of(group, sums, documents.stream().map(this::member).toList());
  }

  /**
   * The document of a group.
   *
   * @param group the grouping values
   * @param sums one per computation, in order; ignored where members are needed
   * @param members the kept fields of the members; empty if {@link #needsMembers} is false
   */
  public Document of(ArrayNode group, List<Accumulator> sums, List<Document> members) {
    ObjectNode json = known(group, sums);
    for (Map.Entry<String, Computation> entry : aggregate.compute().entrySet()) {
      Computation computation = entry.getValue();
      if (computation.function().needsMembers()) {
        String field = Objects.requireNonNull(computation.field());
        json.set(
            entry.getKey(),
            computation.function() == Function.LIST
                ? list(members, field)
                : distinct(members, field));
      }
    }
    if (aggregate.isSemantic()) {
      ArrayNode shown = json.putArray(Aggregate.MEMBERS);
      members.forEach(member -> shown.add(seen(member).toJson()));
    }
    return Document.of(json);
  }

  /** A part of a group that is too large for one document, with the kept fields of its members. */
  public Document part(ArrayNode group, List<Accumulator> sums, List<Document> members) {
    ObjectNode json = known(group, sums);
    if (needsMembers()) {
      ArrayNode shown = json.putArray(Aggregate.MEMBERS);
      members.forEach(member -> shown.add(member.toJson()));
    }
    return Document.of(json);
  }

  /** The document of a group without its members. */
  public Document withoutMembers(Document group) {
    Set<String> fields = new LinkedHashSet<>(aggregate.by());
    fields.addAll(aggregate.compute().keySet());
    return group.only(fields);
  }

  /** The grouping fields and the computed fields that need no members. */
  private ObjectNode known(ArrayNode group, List<Accumulator> sums) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    int at = 0;
    for (String field : aggregate.by()) {
      json.set(field, group.get(at++));
    }
    at = 0;
    for (Map.Entry<String, Computation> entry : aggregate.compute().entrySet()) {
      Accumulator sum = sums.get(at++);
      if (!entry.getValue().function().needsMembers()) {
        json.set(entry.getKey(), sum.result(entry.getValue()));
      }
    }
    return json;
  }

  private Document seen(Document member) {
    return aggregate.reads().isEmpty() ? member : member.only(aggregate.reads());
  }

  private static ArrayNode list(List<Document> members, String field) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    having(members, field).map(member -> member.get(field)).forEach(list::add);
    return list;
  }

  /** Values are equal if they group documents together. */
  private static NumericNode distinct(List<Document> members, String field) {
    return JsonNodeFactory.instance.numberNode(
        having(members, field)
            .map(member -> GroupKey.of(member, List.of(field)))
            .distinct()
            .count());
  }

  private static Stream<Document> having(List<Document> members, String field) {
    return members.stream()
        .filter(member -> !member.get(field).isMissingNode() && !member.get(field).isNull());
  }
}
