package io.spillway.scheduler.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One undoable map with immutable values. Its part of the digest is kept by entry and brought up to
 * date only when asked, so that a value that changes five times in a cycle is hashed once.
 *
 * @param <K> keys with a canonical text
 * @param <V> immutable values with a canonical text
 */
final class Table<K, V> {

  /** Told of every change, forward or undone. {@code before} or {@code after} is null if absent. */
  interface Listener<K, V> {
    void changed(K key, V before, V after);
  }

  private static final class Cell<V> {
    private V value;
    private long hash;
    private boolean hashed;
  }

  private final String name;
  private final UndoLog undo;
  private final Map<K, Cell<V>> cells = new HashMap<>();
  private final List<Listener<K, V>> listeners = new ArrayList<>(2);
  private final Map<K, Cell<V>> unhashed = new HashMap<>();
  private long sum;

  Table(String name, UndoLog undo) {
    this.name = name;
    this.undo = undo;
  }

  void listen(Listener<K, V> listener) {
    listeners.add(listener);
  }

  Optional<V> get(K key) {
    Cell<V> cell = cells.get(key);
    return cell == null ? Optional.empty() : Optional.of(cell.value);
  }

  boolean has(K key) {
    return cells.containsKey(key);
  }

  int size() {
    return cells.size();
  }

  /** A copy, in no particular order. */
  List<V> values() {
    List<V> values = new ArrayList<>(cells.size());
    cells.values().forEach(cell -> values.add(cell.value));
    return values;
  }

  /** The keys; not to be kept over a change. */
  Collection<K> keys() {
    return cells.keySet();
  }

  void put(K key, V value) {
    V before = set(key, value);
    if (undo.isRecording()) {
      undo.record(() -> set(key, before));
    }
  }

  void remove(K key) {
    if (cells.containsKey(key)) {
      put(key, null);
    }
  }

  /** The sum of the hashes of all entries. */
  long digest() {
    unhashed.forEach(
        (key, cell) -> {
          cell.hash = Fingerprint.of(name, key, cell.value);
          cell.hashed = true;
          sum += cell.hash;
        });
    unhashed.clear();
    return sum;
  }

  /** Sets or, with null, removes; answers the value before, null if there was none. */
  private V set(K key, V value) {
    Cell<V> cell = cells.get(key);
    V before = cell == null ? null : cell.value;
    if (cell != null && cell.hashed) {
      sum -= cell.hash;
      cell.hashed = false;
    }
    if (value == null) {
      cells.remove(key);
      unhashed.remove(key);
    } else {
      if (cell == null) {
        cell = new Cell<>();
        cells.put(key, cell);
      }
      cell.value = value;
      unhashed.put(key, cell);
    }
    for (Listener<K, V> listener : listeners) {
      listener.changed(key, before, value);
    }
    return before;
  }
}
