package dev.abacus.deploy.simulator.reading;

/**
 * What a reader can see of a piece of evidence.
 *
 * @param visible whether it can be seen at all
 * @param position where in the document section, 0..1
 * @param fragment the part that can be seen if a span was cut; empty if all of it can
 */
record Sight(boolean visible, double position, String fragment) {

  static final Sight NONE = new Sight(false, 0, "");

  static Sight at(double position) {
    return new Sight(true, position, "");
  }
}
