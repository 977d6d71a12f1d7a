package dev.abacus.schemas.program.builder;

/** An entity resolution: at most one item of a reference is the same entity as a document. */
public final class ResolutionBuilder extends OperatorBuilder<ResolutionBuilder> {

  ResolutionBuilder(String id) {
    text("resolve", id);
  }

  /** Sets the reference, with one item per entity. */
  public ResolutionBuilder with(String reference) {
    return text("with", reference);
  }

  /** Sets the statement that holds if a document and an item are the same entity. */
  public ResolutionBuilder condition(String condition) {
    return text("condition", condition);
  }

  /** Sets the fields of the document that mention the entity; by default all. */
  public ResolutionBuilder reads(String... fields) {
    return list("reads", fields);
  }

  /** Sets the field for the item; by default the name of the reference. */
  public ResolutionBuilder into(String field) {
    return text("into", field);
  }
}
