package dev.abacus.schemas.program.builder;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.program.Computation;
import dev.abacus.schemas.program.io.ProgramWriter;
import java.time.Duration;
import java.util.List;

/**
 * One operator of a {@link ProgramBuilder}. What an operator needs and what it may leave out is the
 * same as in a YAML program.
 *
 * @param <B> the builder itself
 */
public abstract sealed class OperatorBuilder<B extends OperatorBuilder<B>>
    permits OperatorBuilder.Map,
        OperatorBuilder.Filter,
        OperatorBuilder.TopK,
        OperatorBuilder.Rank,
        OperatorBuilder.Join,
        OperatorBuilder.Aggregate,
        OperatorBuilder.Limit,
        OperatorBuilder.Project,
        ResolutionBuilder {

  final ObjectNode node = JsonNodeFactory.instance.objectNode();

  @SuppressWarnings("unchecked") // Every subclass has itself as B.
  private B self() {
    return (B) this;
  }

  /** Sets the source or operator whose documents it reads; by default the operator before. */
  public B input(String sourceOrOperator) {
    node.put("input", sourceOrOperator);
    return self();
  }

  B text(String key, String value) {
    node.put(key, value);
    return self();
  }

  B list(String key, String... values) {
    node.set(key, texts(values));
    return self();
  }

  B fields(String key, FieldBuilder... fields) {
    node.set(key, FieldBuilder.mapping(fields));
    return self();
  }

  B duration(String key, Duration value) {
    return text(key, ProgramWriter.text(value));
  }

  B expectedOutputs(double fanout) {
    node.put("fanout", fanout);
    return self();
  }

  static ArrayNode texts(String... values) {
    ArrayNode texts = JsonNodeFactory.instance.arrayNode();
    List.of(values).forEach(texts::add);
    return texts;
  }

  /** A semantic map. */
  public static final class Map extends OperatorBuilder<Map> {

    Map(String id) {
      text("map", id);
    }

    /** Sets what the model does, in natural language. */
    public Map instruction(String instruction) {
      return text("instruction", instruction);
    }

    /** Sets the fields that the model sees; by default all. */
    public Map reads(String... fields) {
      return list("reads", fields);
    }

    /** Sets the fields that the model writes. */
    public Map writes(FieldBuilder... fields) {
      return fields("writes", fields);
    }

    /** Allows any number of outputs per document. */
    public Map oneToMany() {
      return text("cardinality", "many");
    }
  }

  /** A semantic filter. */
  public static final class Filter extends OperatorBuilder<Filter> {

    Filter(String id) {
      text("filter", id);
    }

    /** Sets the statements about a document that all hold if it is kept. */
    public Filter condition(String... conditions) {
      return conditions.length == 1
          ? text("condition", conditions[0])
          : list("condition", conditions);
    }

    /**
     * Sets a condition in CEL, which is evaluated before a model is called; without a {@link
     * #condition} it decides alone.
     */
    public Filter where(String expression) {
      return text("where", expression);
    }

    /** Sets the expected share of documents that pass if code alone decides, in (0, 1]. */
    public Filter fanout(double share) {
      return expectedOutputs(share);
    }

    /** Sets the fields that the model sees; by default all. */
    public Filter reads(String... fields) {
      return list("reads", fields);
    }
  }

  /** A search for the most similar items of a reference. */
  public static final class TopK extends OperatorBuilder<TopK> {

    TopK(String id) {
      text("topk", id);
    }

    /** Sets the reference. */
    public TopK from(String reference) {
      return text("from", reference);
    }

    /** Sets the fields whose values are the query. */
    public TopK query(String... fields) {
      return list("query", fields);
    }

    /** Sets the number of items; by default the optimizer chooses it. */
    public TopK k(int items) {
      node.put("k", items);
      return this;
    }

    /** Sets the field for the list of items. */
    public TopK writes(String field) {
      return text("writes", field);
    }
  }

  /** An order of the items of a list by a criterion, best first. */
  public static final class Rank extends OperatorBuilder<Rank> {

    Rank(String id) {
      text("rank", id);
    }

    /** Sets the field with the list. */
    public Rank items(String field) {
      return text("items", field);
    }

    /** Sets what makes an item better than another, in natural language. */
    public Rank criterion(String criterion) {
      return text("criterion", criterion);
    }

    /** Sets the fields that the model sees besides the items; by default all. */
    public Rank reads(String... fields) {
      return list("reads", fields);
    }

    /** Sets the number of items to keep; by default all. */
    public Rank k(int items) {
      node.put("k", items);
      return this;
    }

    /** Sets the field by which labels name an item; by default the key of the reference. */
    public Rank key(String field) {
      return text("key", field);
    }

    /** Sets the field for the ordered list; by default the field with the items. */
    public Rank writes(String field) {
      return text("writes", field);
    }
  }

  /** A join with a reference, with another stream, or with another branch. */
  public static final class Join extends OperatorBuilder<Join> {

    Join(String id) {
      text("join", id);
    }

    /** Sets the reference, the source, or the end of the branch to join with. */
    public Join with(String other) {
      return text("with", other);
    }

    /** Sets the statement about a document and its match that holds for a pair. */
    public Join condition(String condition) {
      return text("condition", condition);
    }

    /** Sets the fields of the document that the condition uses; by default all. */
    public Join reads(String... fields) {
      return list("reads", fields);
    }

    /** Keeps documents without a match. */
    public Join left() {
      return text("kind", "left");
    }

    /** Sets the field for the match; by default the name that {@link #with} has. */
    public Join into(String field) {
      return text("into", field);
    }

    /** Makes one output with the list of all matches of a reference in this field. */
    public Join collect(String field) {
      return text("collect", field);
    }

    /** Sets the largest difference of the timestamps of two streams. */
    public Join within(Duration difference) {
      return duration("within", difference);
    }

    /** Sets the field that is equal on both sides. */
    public Join on(String field) {
      return text("on", field);
    }

    /** Adds a field of the document and the field of an item of the reference that equals it. */
    public Join on(String field, String ofItem) {
      node.withObject("on").put(field, ofItem);
      return this;
    }

    /** Sets a condition in code on the document and an item of the reference. */
    public Join where(String expression) {
      return text("where", expression);
    }

    /** Sets the expected number of candidates per document of the left stream. */
    public Join fanout(double candidates) {
      return expectedOutputs(candidates);
    }
  }

  /** An aggregate of each group of documents in each window. */
  public static final class Aggregate extends OperatorBuilder<Aggregate> {

    Aggregate(String id) {
      text("aggregate", id);
    }

    /** Sets the fields that documents of a group have in common; by default one group. */
    public Aggregate by(String... fields) {
      return list("by", fields);
    }

    /** Sets adjacent windows of this size. */
    public Aggregate tumbling(Duration size) {
      return window("tumbling", size);
    }

    /** Sets windows of this size, one every {@code advance}. */
    public Aggregate hopping(Duration size, Duration advance) {
      return window("hopping", size).window("advance", advance);
    }

    /** Sets windows that end after this time without a document. */
    public Aggregate session(Duration gap) {
      return window("session", gap);
    }

    /** Sets how long after its end a window accepts documents; by default not at all. */
    public Aggregate grace(Duration grace) {
      return window("grace", grace);
    }

    private Aggregate window(String key, Duration value) {
      node.withObjectProperty("window").put(key, ProgramWriter.text(value));
      return this;
    }

    /** Sets what a model writes about a group; needs {@link #writes}. */
    public Aggregate instruction(String instruction) {
      return text("instruction", instruction);
    }

    /** Sets the fields of the documents that the model sees; by default all. */
    public Aggregate reads(String... fields) {
      return list("reads", fields);
    }

    /** Sets the fields that the model writes. */
    public Aggregate writes(FieldBuilder... fields) {
      return fields("writes", fields);
    }

    /** Adds a field that is computed without a model. */
    public Aggregate compute(String field, Computation computation) {
      node.withObjectProperty("compute").put(field, computation.label());
      return this;
    }

    /** Drops documents that arrive after their window; by default they become dead letters. */
    public Aggregate dropLate() {
      return text("late", "drop");
    }

    /** Sets the expected number of groups per document. */
    public Aggregate fanout(double groups) {
      return expectedOutputs(groups);
    }
  }

  /** A limit. */
  public static final class Limit extends OperatorBuilder<Limit> {

    Limit(long count) {
      node.put("limit", count);
    }

    /** Sets the name of the operator; by default {@code limit}. */
    public Limit id(String id) {
      return text("id", id);
    }

    /** Counts anew in each window of this length; by default the whole stream. */
    public Limit per(Duration window) {
      return duration("window", window);
    }

    /**
     * Ranks the documents of each window by these fields; by default they are ranked by arrival.
     *
     * @param fields such as {@code amount desc}
     */
    public Limit order(String... fields) {
      return list("order", fields);
    }

    /** Sets how long after its end a window accepts late documents; only with an order. */
    public Limit grace(Duration grace) {
      return duration("grace", grace);
    }

    /** Sets the expected share of documents that pass, in (0, 1]. */
    public Limit fanout(double share) {
      return expectedOutputs(share);
    }
  }

  /** A projection. */
  public static final class Project extends OperatorBuilder<Project> {

    Project(String... fields) {
      list("project", fields);
    }

    /** Sets the name of the operator; by default {@code project}. */
    public Project id(String id) {
      return text("id", id);
    }
  }
}
