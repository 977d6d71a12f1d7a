package dev.abacus.topology.stateful.time;

import java.util.List;

/**
 * One stateful operator in a topology.
 *
 * @param operator id of the operator; its stores are named {@code operator-purpose}
 * @param channels for each input, the number of tasks that send watermarks
 * @param children nodes that its documents and watermarks go to
 * @param deadLetters sink of its dead letters
 */
public record StatefulContext(
    String operator,
    List<Integer> channels,
    List<String> children,
    String deadLetters,
    StatefulServices services) {

  public StatefulContext {
    channels = List.copyOf(channels);
    children = List.copyOf(children);
  }
}
