package dev.abacus.topology.execution;

/** Is told how far a document has come; called by the thread that carries the document. */
@FunctionalInterface
public interface CheckpointListener {

  /** Keeps nothing. */
  CheckpointListener NONE = _ -> {};

  /** A semantic step is finished and the document goes on. */
  void reached(Checkpoint progress);
}
