package dev.abacus.topology.model;

/**
 * The libraries of the in-process embedding model and of tokenizer files: ONNX runtime, Hugging
 * Face tokenizers and the weights. They are an optional part of the distribution, because they are
 * larger than all other libraries together.
 */
public final class EmbedderPart {

  /** Why something that needs the part does not work, and the remedy. */
  public static final String MISSING =
      "the in-process embedder is not installed: unpack abacus-VERSION-embedder.tar.gz over this"
          + " installation (folder embedder/) and restart";

  private static final boolean INSTALLED =
      exists("ai.onnxruntime.OrtEnvironment")
          && exists("ai.djl.huggingface.tokenizers.HuggingFaceTokenizer")
          && EmbedderPart.class.getResource("/all-minilm-l6-v2-q.onnx") != null;

  private EmbedderPart() {}

  /** Whether the libraries are on the class path. */
  public static boolean isInstalled() {
    return INSTALLED;
  }

  private static boolean exists(String type) {
    try {
      Class.forName(type, false, EmbedderPart.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
