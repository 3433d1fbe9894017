// The trials of a table while its rows go by: told apart by their key columns, each with its labels.
#pragma once

#include <string>
#include <vector>

#include "milcci/trials.hpp"
#include "read/tables/constant_column.hpp"
#include "read/tables/table_columns.hpp"

namespace milcci::read {

class TableTrials {
 public:
  using Id = TextIds::Id;

  explicit TableTrials(const TableColumns& columns);

  /// The trial of this row; a new one gets the next number. Throws Error(bad_file) if the row has no trial,
  /// or its labels are not those of the trial's earlier rows.
  Id take(const TableRows& rows) {
    const std::string_view key =
        key_columns_.size() == 1 ? trim(rows.cells()[key_columns_.front()]) : joined_key(rows);
    const std::size_t n_known = names_.size();
    const Id trial = names_.id(key);
    if (trial == n_known) add(rows, trial, key);
    for (ConstantColumn& label : labels_) label.take(rows, trial, key);
    return trial;
  }
  std::size_t size() const { return names_.size(); }
  /// For messages.
  std::string name(Id trial) const;

  /// The order of the trials: by number where one column names them and all are numbers, otherwise
  /// as they appeared.
  std::vector<Id> order() const;
  std::vector<std::string> names(const std::vector<Id>& order) const;
  /// The key columns and the labels, trials in this order.
  std::vector<LabelColumn> labels(const std::vector<Id>& order) const;

 private:
  std::string_view joined_key(const TableRows& rows);
  void add(const TableRows& rows, Id trial, std::string_view key);

  Positions key_columns_;
  std::string key_;  // where several columns are the key, with padding around it
  TextIds names_;
  std::vector<ConstantColumn> keys_, labels_;
};

/// True if two of these texts would be one number by their commas: 1,1 and 1,10 are pairs, not decimals.
bool are_pairs(const std::vector<std::string_view>& texts);

/// A label column from texts: integers if all are, else numbers if all are or are missing, else texts. Commas
/// are read as in values, but not those of pairs.
LabelColumn label_column(const std::string& name, const std::vector<std::string_view>& texts);
/// Tells of a label that is text only because some of its numbers may be two: 0,500 and 1,000.
void note_if_unclear(const LabelColumn& column, std::vector<std::string>& notes);

}  // namespace milcci::read
