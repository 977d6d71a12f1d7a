package dev.abacus.schemas.program.io;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticMap.Cardinality;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.TopK;
import dev.abacus.schemas.program.Window;
import java.time.Duration;
import java.util.List;

/** Writes one operator in the form that {@link OperatorReader} reads. */
final class OperatorWriter {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private OperatorWriter() {}

  static ObjectNode write(LogicalOperator operator) {
    ObjectNode node = JSON.objectNode();
    switch (operator) {
      case SemanticMap map -> {
        node.put("map", map.id()).put("input", map.input()).put("instruction", map.instruction());
        putReads(node, map.reads());
        node.set("writes", fields(map.writes()));
        if (map.cardinality() != Cardinality.ONE) {
          node.put("cardinality", map.cardinality().label());
        }
      }
      case SemanticFilter filter -> {
        node.put("filter", filter.id()).put("input", filter.input());
        if (filter.conditions().size() == 1) {
          node.put("condition", filter.conditions().getFirst());
        } else {
          node.set("condition", texts(filter.conditions()));
        }
        if (filter.where() != null) {
          node.put("where", filter.where().text());
        }
        putReads(node, filter.shown());
      }
      case TopK topK -> {
        node.put("topk", topK.id()).put("input", topK.input()).put("from", topK.from());
        node.set("query", texts(topK.query()));
        if (topK.k() == null) {
          node.put("k", "auto");
        } else {
          node.put("k", topK.k());
        }
        node.put("writes", topK.writes());
      }
      case SemanticRank rank -> {
        node.put("rank", rank.id())
            .put("input", rank.input())
            .put("items", rank.items())
            .put("criterion", rank.criterion());
        putReads(node, rank.shown());
        if (rank.k() != null) {
          node.put("k", rank.k());
        }
        node.put("key", rank.key()).put("writes", rank.writes());
      }
      case EntityResolution resolution -> {
        node.put("resolve", resolution.id())
            .put("input", resolution.input())
            .put("with", resolution.with())
            .put("condition", resolution.condition());
        putReads(node, resolution.reads());
        node.put("into", resolution.into());
      }
      case ReferenceJoin join -> {
        node.put("join", join.id())
            .put("input", join.input())
            .put("with", join.with())
            .put("condition", join.condition());
        putReads(node, join.reads());
        node.put("kind", join.joinKind().label())
            .put(join.collected() ? "collect" : "into", join.into());
      }
      case StreamJoin join -> write(join, node);
      case Merge merge ->
          node.put("join", merge.id()).put("input", merge.input()).put("with", merge.with());
      case Aggregate aggregate -> write(aggregate, node);
      case Limit limit -> {
        node.put("limit", limit.count()).put("id", limit.id()).put("input", limit.input());
        if (limit.window() != null) {
          node.put("window", duration(limit.window()));
        }
        putFanout(node, limit);
      }
      case Project project -> {
        node.set("project", texts(project.fields()));
        node.put("id", project.id()).put("input", project.input());
      }
    }
    return node;
  }

  private static void write(StreamJoin join, ObjectNode node) {
    node.put("join", join.id())
        .put("input", join.input())
        .put("with", join.with())
        .put("within", duration(join.within()));
    if (join.on() != null) {
      node.put("on", join.on());
    }
    if (join.condition() != null) {
      node.put("condition", join.condition());
    }
    putReads(node, join.reads());
    node.put("kind", join.joinKind().label()).put("into", join.into());
    putFanout(node, join);
  }

  private static void write(Aggregate aggregate, ObjectNode node) {
    node.put("aggregate", aggregate.id()).put("input", aggregate.input());
    if (!aggregate.by().isEmpty()) {
      node.set("by", texts(aggregate.by()));
    }
    node.set("window", window(aggregate.window()));
    if (aggregate.instruction() != null) {
      node.put("instruction", aggregate.instruction());
    }
    putReads(node, aggregate.reads());
    if (!aggregate.writes().isEmpty()) {
      node.set("writes", fields(aggregate.writes()));
    }
    if (!aggregate.compute().isEmpty()) {
      ObjectNode compute = node.putObject("compute");
      aggregate.compute().forEach((field, computed) -> compute.put(field, computed.label()));
    }
    node.put("late", aggregate.late().label());
    putFanout(node, aggregate);
  }

  private static void putFanout(ObjectNode node, LogicalOperator operator) {
    if (operator.fanout() != null) {
      node.put("fanout", operator.fanout());
    }
  }

  private static ObjectNode window(Window window) {
    ObjectNode node = JSON.objectNode();
    switch (window) {
      case Window.Tumbling tumbling -> node.put("tumbling", duration(tumbling.size()));
      case Window.Hopping hopping ->
          node.put("hopping", duration(hopping.size())).put("advance", duration(hopping.advance()));
      case Window.Session session -> node.put("session", duration(session.gap()));
    }
    return node.put("grace", duration(window.grace()));
  }

  private static String duration(Duration duration) {
    return duration.toSeconds() + "s";
  }

  private static void putReads(ObjectNode node, List<String> reads) {
    if (!reads.isEmpty()) {
      node.set("reads", texts(reads));
    }
  }

  static ArrayNode texts(List<String> texts) {
    ArrayNode array = JSON.arrayNode();
    texts.forEach(array::add);
    return array;
  }

  private static ObjectNode fields(List<Field> fields) {
    ObjectNode node = JSON.objectNode();
    for (Field field : fields) {
      ObjectNode written = type(field.type());
      if (!field.description().isEmpty()) {
        written.put("description", field.description());
      }
      if (field.nullable()) {
        written.put("nullable", true);
      }
      node.set(field.name(), written);
    }
    return node;
  }

  private static ObjectNode type(FieldType type) {
    ObjectNode node = JSON.objectNode();
    switch (type) {
      case FieldType.StringType text -> {
        node.put("type", "string");
        if (!text.values().isEmpty()) {
          node.set("enum", texts(text.values()));
        }
      }
      case FieldType.IntegerType whole -> {
        node.put("type", "integer");
        if (whole.minimum() != null) {
          node.put("minimum", whole.minimum());
        }
        if (whole.maximum() != null) {
          node.put("maximum", whole.maximum());
        }
      }
      case FieldType.NumberType real -> {
        node.put("type", "number");
        if (real.minimum() != null) {
          node.put("minimum", real.minimum());
        }
        if (real.maximum() != null) {
          node.put("maximum", real.maximum());
        }
      }
      case FieldType.BooleanType _ -> node.put("type", "boolean");
      case FieldType.ListType list -> node.put("type", "list").set("items", type(list.items()));
      case FieldType.ObjectType dictionary ->
          node.put("type", "object").set("properties", fields(dictionary.fields()));
    }
    return node;
  }
}
