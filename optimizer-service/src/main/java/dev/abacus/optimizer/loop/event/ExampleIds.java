package dev.abacus.optimizer.loop.event;

/** Where an example comes from, by its id. */
public final class ExampleIds {

  /**
   * Prefix of the ids of validation examples that are copies of live documents. Without a label
   * they are used only while all examples are such copies.
   */
  public static final String COPIED = "stream:";

  /**
   * Prefix of the ids of live documents that the search runs beside the plan, without a label. They
   * are never held back, and their samples count as long as they exist.
   */
  public static final String LIVE = "live:";

  private ExampleIds() {}

  /** Whether an example is a live document that runs beside the plan. */
  public static boolean isLive(String id) {
    return id.startsWith(LIVE);
  }

  /** Whether an example is a document of a source, not one that a user has given. */
  public static boolean isCopy(String id) {
    return id.startsWith(COPIED) || isLive(id);
  }

  /** The position in the source of the document of a {@linkplain #isCopy copy}. */
  public static String position(String id) {
    return id.substring(id.indexOf(':') + 1);
  }
}
