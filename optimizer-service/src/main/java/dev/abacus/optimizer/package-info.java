@NullMarked
package dev.abacus.optimizer;

import org.jspecify.annotations.NullMarked;
